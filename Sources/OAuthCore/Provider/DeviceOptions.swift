import Jansson

/// How the device authorization endpoint deviates (RFC 8628, 3).
package struct DeviceOptions: Sendable {
  package enum ClientIdPlace: String, StringEnum { case body, query }

  package var deviceParameterNames = NamedValues<String>()
  package var deviceParameters = NamedValues<String>()
  package var deviceMemberNames = NamedValues<DottedPath>()
  package var deviceClientIdIn = ClientIdPlace.body
  package var deviceGrantType = Self.grantType
  package var sendsUserCode = false
  package var deviceErrorNames = NamedValues<String>()

  /// RFC 8628, 3.4.
  package static let grantType = "urn:ietf:params:oauth:grant-type:device_code"

  mutating func read(_ fields: inout ObjectReader) throws(FieldError) {
    deviceParameters = try fields.optional("deviceParameters", default: .init(), "Extra parameters of the device authorization request.")
    deviceParameterNames = try fields.optional(
      "deviceParameterNames", default: .init(),
      "The provider's names of standard parameters in the device authorization request, such as `scope`.")
    deviceMemberNames = try fields.optional(
      "deviceMemberNames", default: .init(), "The dotted paths of standard members in the device authorization response.")
    deviceClientIdIn = try fields.optional(
      "deviceClientIdIn", default: .body, "The place of the client's ID in the device authorization request.")
    deviceGrantType = try fields.optional("deviceGrantType", default: Self.grantType, "The `grant_type` of a device code (RFC 8628, 3.4).")
    sendsUserCode = try fields.optional("sendsUserCode", default: false, "Whether the process sends the user's code to the token endpoint.")
    deviceErrorNames = try fields.optional(
      "deviceErrorNames", default: .init(), "The standard names of errors (RFC 8628, 3.5), by the provider's own names.")
    for (name, own) in deviceParameterNames.pairs where own.isEmpty {
      throw FieldError(ObjectReader.pointer(to: name, in: fields.pointer("deviceParameterNames")), "must not be empty")
    }
    if deviceGrantType.isEmpty { throw FieldError(fields.pointer("deviceGrantType"), "must not be empty") }
  }
}
