import OAuthCore
import Signatures

extension HTTPRequest {
  package var authorization: String? { headers.first { $0.name == "Authorization" }?.value }

  package var bodyText: String? {
    if case .bytes(let bytes) = body { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// Returns the decoded value of a parameter of the `Authorization` header.
  package func protocolParameter(_ name: String) -> String? {
    OAuth1Challenge.parameters(authorization ?? "").first { $0.name == name }?.value
  }

  /// Returns the value of a field of the form in the body.
  package func field(_ name: String) -> String? {
    guard case .bytes(let bytes) = body else { return nil }
    return FormEncoding.decodeLeniently(bytes).first { $0.0 == name }?.1
  }

  package var text: String {
    guard case .bytes(let bytes) = body else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  package func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
}

extension HTTPResponse {
  package static func json(_ text: String, status: Int = 200) -> HTTPResponse { HTTPResponse(status: status, body: Array(text.utf8)) }
}
