import Crypto
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

  /// Returns the headers for a body sent at `now`, in Unix seconds.
  package func headers(for body: [UInt8], _ client: Client, _ secret: Secret, at now: Int) -> [HTTPHeader] {
    let milliseconds = "\(now)000"
    let code = HMAC<SHA256>.authenticationCode(for: body + milliseconds.utf8, using: SymmetricKey(data: Array(secret.value.utf8)))
    return [
      HTTPHeader(clientId, client.id), HTTPHeader(timestamp, milliseconds), HTTPHeader(signature, Hexadecimal.encode(code)),
    ]
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

extension HTTPRequest {
  /// Returns the request with its signature, if the provider requires one and the client has a secret.
  package func signed(_ options: TokenOptions, _ client: Client, at now: Int) -> HTTPRequest {
    guard let signature = options.requestSignature, let secret = client.secret else { return self }
    var request = self
    let bytes = if case .bytes(let bytes) = body { bytes } else { [UInt8]() }
    request.headers += signature.headers(for: bytes, client, secret, at: now)
    return request
  }
}
