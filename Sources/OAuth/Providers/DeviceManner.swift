import Jansson

/// How the device authorization endpoint deviates (RFC 8628, 3.1 and 3.2).
package struct DeviceManner: Sendable {
  package enum ClientIdPlace: String, FieldWord { case body, query }

  package var deviceParameters = NamedValues<String>()
  package var deviceMemberNames = NamedValues<DottedPath>()
  package var deviceClientIdIn = ClientIdPlace.body

  package init() {}

  init(_ fields: inout Fields) throws(FieldError) {
    deviceParameters = try fields.optional("deviceParameters", "Extra parameters of the device authorization request.") ?? .init()
    deviceMemberNames =
      try fields.optional("deviceMemberNames", "Where standard members of its answer stand, as dotted paths.") ?? .init()
    deviceClientIdIn =
      try fields.optional("deviceClientIdIn", "Where the client's id goes: into the body where nothing is said, or into the query.")
      ?? .body
  }
}
