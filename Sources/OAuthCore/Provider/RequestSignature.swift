import Jansson

/// Authenticates the client by a signature of the token request. The members are the names of the headers.
///
/// The signature is the HMAC-SHA256 (RFC 2104) of the body followed by the timestamp, in lower-case hexadecimal. The key is the client's secret,
/// which is not sent itself.
package struct RequestSignature: FieldObject {
  package var signature: String
  package var timestamp: String
  package var clientId: String

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    signature = try fields.required("signature", "The header with the HMAC-SHA256 of body and timestamp, in hexadecimal.")
    timestamp = try fields.required("timestamp", "The header with the time of the request, in milliseconds since 1970.")
    clientId = try fields.required("clientId", "The header with the client's ID.")
    if fields.isDescribing { return }
    var seen: Set<String> = []
    for (member, name) in [("signature", signature), ("timestamp", timestamp), ("clientId", clientId)] {
      try fields.check(headers: NamedValues([(name, "")]), member)
      guard seen.insert(name.lowercased()).inserted else {
        throw FieldError(fields.pointer(member), "is already the name of another header")
      }
    }
  }
}

extension TokenOptions {
  /// Rejects a client without a secret before the user signs in, since it could not sign.
  package func checkSecret(of client: Client) throws(OAuthFailure) {
    guard requestSignature == nil || client.secret != nil else {
      throw .misconfigured("/clientSecret", "token requests are signed with the client's secret, which is missing")
    }
  }
}
