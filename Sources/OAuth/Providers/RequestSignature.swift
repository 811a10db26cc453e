import Crypto
import Jansson

/// How a request to the token endpoint shows who asks by a signature: the names of the headers that carry it.
///
/// The signature is the HMAC-SHA256 (RFC 2104), in lower-case hexadecimal, of the body and the timestamp after it under the client's secret; so the
/// secret itself does not travel.
package struct RequestSignature: FieldObject {
  package static let placeholder = RequestSignature()

  package var signature = "sign"
  package var timestamp = "timestamp"
  package var clientId = "client_id"

  package init() {}

  package init(_ fields: inout Fields) throws(FieldError) {
    signature = try fields.required("signature", "The header with the HMAC-SHA256 of body and timestamp, in hexadecimal.")
    timestamp = try fields.required("timestamp", "The header with the time of the request, in milliseconds since 1970.")
    clientId = try fields.required("clientId", "The header with the client's id.")
    if fields.isDescribing { return }
    var seen: Set<String> = []
    for (member, name) in [("signature", signature), ("timestamp", timestamp), ("clientId", clientId)] {
      try fields.check(headers: NamedValues([(name, "")]), member)
      guard seen.insert(name.lowercased()).inserted else {
        throw FieldError(fields.pointer(member), "is the name of another header already")
      }
    }
  }

  package func write(to writer: inout JSONWriter) { writer.null() }

  /// The headers for a body that is sent at `now`, in Unix seconds.
  func headers(for body: [UInt8], _ client: Client, _ secret: Secret, at now: Int) -> [HTTPHeader] {
    let milliseconds = "\(now)000"
    let code = KeyedHash<SHA256>.code(for: body + milliseconds.utf8, key: Array(secret.value.utf8))
    return [
      HTTPHeader(clientId, client.id), HTTPHeader(timestamp, milliseconds), HTTPHeader(signature, Self.hexadecimal(code)),
    ]
  }

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension TokenManner {
  /// Refuses a client that could not sign, before anybody signs in for nothing.
  func checkSecret(of client: Client) throws(OAuthFailure) {
    guard requestSignature == nil || client.secret != nil else {
      throw OAuthFailure(
        .configurationInvalid, "token requests are signed with the client's secret, and there is none",
        details: [.init("path", "/clientSecret")])
    }
  }
}

extension HTTPRequest {
  /// The request with its signature, where the provider wants one; a client without a secret has none to give.
  func signed(_ manner: TokenManner, _ client: Client, at now: Int) -> HTTPRequest {
    guard let signature = manner.requestSignature, let secret = client.secret else { return self }
    var request = self
    let bytes = if case .bytes(let bytes) = body { bytes } else { [UInt8]() }
    request.headers += signature.headers(for: bytes, client, secret, at: now)
    return request
  }
}
