import OAuthCore
import Platform
import Signatures
import Store

/// Requests with a proof of the key that an account's tokens are bound to (RFC 9449).
extension Dependencies {
  /// Sends a request with a proof of the key, or without a key as it is. The server may want another nonce or time in the proof, and may say so by its
  /// error. The request is then sent once more.
  ///
  /// `request` is called before each sending, for whatever else is valid once.
  func proven(
    by key: Secret?, token: Secret? = nil, _ request: () async throws -> HTTPRequest, _ send: (HTTPRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    guard let key else {
      let sent = try await request()
      let response = try await send(sent)
      if response.header("DPoP-Nonce") != nil || response.rejectsProof { servers.learn(from: response, of: try URLParts(sent.url)) }
      return response
    }
    var isRepeated = false
    while true {
      let sent = try await request()
      let url = try URLParts(sent.url)
      let used = servers.proofTerms(of: url)
      let response = try await send(proving(sent, by: key, token: token, nonce: used.nonce))
      servers.learn(from: response, of: url)
      let next = servers.proofTerms(of: url)
      // Two seconds are within the precision of a `Date`.
      let isOther = used.nonce != next.nonce || abs(used.offset - next.offset) > 2
      guard response.rejectsProof, isOther, !isRepeated else { return response }
      isRepeated = true
    }
  }

  /// Returns the request with a proof. libcurl must not send it again, because a server takes no proof twice.
  func proving(_ request: HTTPRequest, by key: Secret, token: Secret?, nonce: String?) throws(OAuthFailure) -> HTTPRequest {
    guard let url = try? URLParts(request.url) else { throw .untrusted("the request's URL is not valid") }
    var request = request
    // A second earlier, since servers whose clock is a moment behind reject a time that is still to come.
    let now = Int64(clock.now) - 1 + servers.proofTerms(of: url).offset
    let proof = try SigningKey(key).proof(request.method, url, token: token, nonce: nonce, id: Base64.encodeURL(random(16)), at: now)
    request.headers.removeAll { $0.isNamed("dpop") }
    request.headers.append(HTTPHeader("DPoP", proof.value))
    request.isSentOnce = true
    return request
  }
}
