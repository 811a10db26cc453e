import Jansson

/// How the device authorization endpoint deviates (RFC 8628, 3).
package struct DeviceManner: Sendable {
  package enum ClientIdPlace: String, FieldWord { case body, query }

  package var deviceParameterNames = NamedValues<String>()
  package var deviceParameters = NamedValues<String>()
  package var deviceMemberNames = NamedValues<DottedPath>()
  package var deviceClientIdIn = ClientIdPlace.body
  package var deviceGrantType = Self.grantType
  package var sendsUserCode = false
  package var deviceErrorNames = NamedValues<String>()

  /// RFC 8628, 3.4.
  package static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    deviceParameters = try fields.optional("deviceParameters", "Extra parameters of the device authorization request.") ?? .init()
    deviceParameterNames =
      try fields.optional(
        "deviceParameterNames", "Names of standard parameters of the device authorization request, such as scope, that differ.") ?? .init()
    deviceMemberNames =
      try fields.optional("deviceMemberNames", "Where standard members of its answer stand, as dotted paths.") ?? .init()
    deviceClientIdIn =
      try fields.optional("deviceClientIdIn", "Where the client's id goes: into the body by default, or into the query.")
      ?? .body
    deviceGrantType =
      try fields.optional("deviceGrantType", "The grant_type of a device code, if not the one of RFC 8628.") ?? Self.grantType
    sendsUserCode =
      try fields.optional("sendsUserCode", "Whether the code that the user types goes to the token endpoint too.") ?? false
    deviceErrorNames =
      try fields.optional(
        "deviceErrorNames", "What errors mean that have names of their own: by name, the standard one (RFC 8628, 3.5).") ?? .init()
    for (name, own) in deviceParameterNames.pairs where own.isEmpty && !fields.isDescribing {
      throw FieldError(Fields.pointer(to: name, in: fields.pointer("deviceParameterNames")), "must not be empty")
    }
    if !fields.isDescribing, deviceGrantType.isEmpty { throw FieldError(fields.pointer("deviceGrantType"), "must not be empty") }
  }
}
