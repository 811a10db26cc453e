import Jansson
import OAuthCore
import Platform
import Signatures

/// Signs by a command: gives it the bytes on standard input and returns what it prints.
package typealias CommandSigner =
  @Sendable (_ words: [String], _ account: String, _ input: [UInt8], _ seconds: Int) async throws(OAuthFailure) -> [UInt8]

/// The client's assertions (RFC 7523, 2.2; draft-ietf-oauth-rfc7523bis).
extension Dependencies {
  /// Seconds for which an assertion is valid, and for a command that signs where the request has no limit of its own.
  private static let seconds = 60
  /// Seconds by which assertions are dated earlier, since servers whose clock is behind reject a time that is still to come. A greater difference is
  /// corrected after the first rejection.
  static let lag = 5

  /// Returns the client with a new assertion for a request to `endpoint`, if it authenticates by one. No other request may send the same one.
  package func asserting(
    _ client: Client, _ provider: Provider, at endpoint: String?, within seconds: Int = Dependencies.seconds
  ) async throws -> Client {
    guard let key = try provider.assertionKey(of: client) else { return client }
    let audience = try provider.assertionAudience(at: provider.audience(at: endpoint, for: client))
    let now = JSON.integer(Int(servers.time(of: Self.host(endpoint))) - Self.lag)
    let claims: [JSON.Member] = [
      .init("iss", .string(client.id)), .init("sub", .string(client.id)), .init("aud", .string(audience)),
      .init("jti", .string(Base64.encodeURL(random(16)))), .init("iat", now), .init("exp", .integer((now.integer ?? 0) + Self.seconds)),
    ]
    var asserting = client
    asserting.assertion = try await signed(claims, header: Self.header(client, provider), by: key, within: seconds)
    return asserting
  }

  /// The members of the header besides `alg` and `kid`.
  private static func header(_ client: Client, _ provider: Provider) -> [JSON.Member] {
    let thumbprint = client.certificateOfKey?.thumbprint.map { JSON.Member("x5t#S256", .string($0)) }
    return [.init("typ", .string(provider.assertion.assertionType.rawValue))] + [thumbprint].compactMap(\.self)
  }

  static func host(_ endpoint: String?) -> String { endpoint.flatMap { try? URLParts($0).host } ?? "" }

  /// Returns a token with these claims, signed by the key. Its header has `alg`, the key's ID as `kid`, and the members of `header`.
  package func signed(
    _ claims: [JSON.Member], header: [JSON.Member], by key: ClientKey, within seconds: Int = Dependencies.seconds
  ) async throws -> Secret {
    func members(_ algorithm: String, _ id: String?) -> [JSON.Member] {
      [.init("alg", .string(algorithm))] + (id.map { [.init("kid", .string($0))] } ?? []) + header
    }
    switch key.material {
    case .text(let text):
      if let algorithm = key.secretAlgorithm {
        let token = JSONWebToken(header: members(algorithm.rawValue, key.id), claims: claims)
        return token.compact(algorithm.code(of: token.input, by: text) ?? [])
      }
      let signing = try SigningKey(text, algorithm: key.algorithm)
      let token = JSONWebToken(header: members(signing.algorithm.rawValue, key.id ?? signing.id), claims: claims)
      return token.compact(try signing.sign(token.input))
    case .command(let words, let account):
      guard let signer, let algorithm = key.algorithm.flatMap(JSONWebAlgorithm.init(named:)) else {
        throw OAuthFailure.misconfigured("/signingAlgorithm", "a command that signs needs a signingAlgorithm")
      }
      let token = JSONWebToken(header: members(algorithm.rawValue, key.id), claims: claims)
      let signature = try await signer(words, account, token.input, seconds)
      guard signature.count == algorithm.signatureLength ?? max(256, signature.count & ~7) else {
        let wanted = algorithm.signatureLength.map { "\($0)" } ?? "256, 384 or 512"
        throw OAuthFailure.misconfigured(
          "/privateKey",
          "the command that signs printed \(signature.count) bytes, and a signature of \(algorithm.rawValue) has \(wanted): "
            + "it must print only the signature, for ECDSA R and S concatenated and not DER")
      }
      return token.compact(signature)
    }
  }

  /// Sends a request in which the client authenticates, like `exchange`. Returns the client as it was sent, for `Redaction`.
  ///
  /// If the server rejects the assertion and its clock differs from ours, the request is sent once more, with a new assertion by its clock.
  /// After any other error, the request's code or token may be used up.
  func exchange(
    by client: Client, at endpoint: String?, to provider: Provider, for account: String, as use: String, hiding secrets: [Secret?] = [],
    until deadline: Clock.Deadline? = nil, provingBy proofKey: Secret? = nil, _ request: (Client) throws -> HTTPRequest
  ) async throws -> (response: HTTPResponse, client: Client) {
    var isFirst = true
    while true {
      var asserting = client
      let response = try await proven(by: proofKey) {
        asserting = try await self.asserting(client, provider, at: endpoint, within: deadline?.left ?? Self.seconds)
        var request = try request(asserting).until(deadline)
        // Servers reject an assertion that they have seen.
        if asserting.assertion != nil { request.isSentOnce = true }
        return request
      } _: { request in
        try await exchange(request, to: provider, for: account, as: use, hiding: secrets + [asserting.assertion])
      }
      guard isFirst, asserting.assertion != client.assertion, (try? JSON.parse(response.body))?["error"] == "invalid_client",
        servers.correctsClock(of: Self.host(endpoint), byDateOf: response)
      else { return (response, asserting) }
      isFirst = false
    }
  }
}
