import Jansson
import TestSupport
import Testing

@testable import Calls
@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform
@testable import Store

/// Runs a preset with the answers in its provider's documentation.
struct ExchangeReplay {
  let exchange: Exchange
  let server = PreparedResponses()
  let accounts: Accounts
  private let store = MemoryStore()
  /// The fixed time of all exchanges, in Unix seconds.
  static let now = 1_600_000_000

  init(_ exchange: Exchange) {
    self.exchange = exchange
    accounts = Accounts(
      Dependencies(
        clock: .fixed(Self.now), random: { Array(repeating: 0, count: $0) }, http: server, store: store, catalog: .builtIn))
  }

  var variables: [JSON.Member] {
    exchange.fields.compactMap { field in
      field.name.hasPrefix("variables.") ? .init(String(field.name.dropFirst("variables.".count)), .string(field.value)) : nil
    }
  }

  var reference: ProviderReference {
    .description([.init("preset", .string(exchange.preset))] + (variables.isEmpty ? [] : [.init("variables", .object(variables))]))
  }

  /// Begins a sign-in and returns its page.
  func begin() async throws -> SignInPrompt {
    var request = AuthorizationInput()
    request.account = "a"
    request.provider = reference
    request.clientId = exchange["client id"]
    request.credentials.secret = exchange["client secret"].map(Secret.init)
    request.scopes = exchange["scopes"] == nil ? nil : exchange.words("scopes")
    request.redirectUri = exchange["redirect uri"]
    request.opensBrowser = false
    request.waits = false
    return try #require(try await accounts.authorize(request).signIn)
  }

  /// The section names of a sign-in's requests.
  var signInRequests: [String] {
    ["token request", "long-lived request", "lookup request"].filter { exchange.section($0) != nil }
  }
  var signInCount: Int { signInRequests.count }

  /// Signs in with the documented answer, or another one, and returns the stored grant.
  func signIn(answer: String = "token answer") async throws -> Grant {
    let prompt = try await begin()
    try prepare(answer)
    if answer == "token answer" {
      for request in signInRequests.dropFirst() { try prepare(request.replacing(" request", with: " answer")) }
    }
    #expect(try await accounts.handleRedirect(try #require(exchange.section("redirected"))))
    _ = try await accounts.awaitSignIn(id: prompt.id, timeout: 10)
    return try grant
  }

  var grant: Grant { get throws { try #require(store.read("a")) } }

  func prepare(_ section: String) throws {
    let response = try HTTPResponse(exchange: try #require(exchange.section(section), "\(section)"))
    server.add { _ in .success(response) }
  }

  /// Calls the API as the section says: `GET users/me`, and parameters on the lines after it.
  func call() async throws -> APIResponse {
    let lines = try #require(exchange.section("call")).split(separator: "\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", maxSplits: 1).map(String.init)
    var request = APIRequest(account: "a", url: words.count > 1 ? words[1] : "")
    request.method = words[0]
    request.retries = false
    let parameters = try lines.dropFirst().map { try Exchange.pair($0) }
    if !parameters.isEmpty { request.parameters = NamedValues(parameters.map { ($0.name, .string($0.value)) }) }
    return try await APICall(accounts: accounts, request: request) { _ in true }.run()
  }
}

extension Grant {
  /// The values read from the token response, as an exchange writes them.
  var written: String {
    var lines = ["access token: \(accessToken?.value ?? "")", "token type: \(tokenType ?? "")"]
    if let expiresAt { lines.append("expires in: \(expiresAt - ExchangeReplay.now)") }
    if let refreshToken { lines.append("refresh token: \(refreshToken.value)") }
    if let refreshTokenExpiresAt { lines.append("refresh token expires in: \(refreshTokenExpiresAt - ExchangeReplay.now)") }
    lines.append("scopes: \(grantedScopes.joined(separator: " "))")
    return (lines + attributes.pairs.map { "attribute \($0.name): \($0.value)" }).joined(separator: "\n")
  }
}

extension OAuthFailure {
  var written: String {
    var lines = ["kind: \(kind.rawValue)"]
    for name in ["reason", "error", "errorDescription"] {
      if let value = self[name] { lines.append("\(name): \(value.string ?? "")") }
    }
    return lines.joined(separator: "\n")
  }
}

extension APIResponse {
  var written: String {
    var lines = ["status: \(status)"]
    for member in serviceError ?? [] { lines.append("\(member.name): \(String(decoding: member.value.text, as: UTF8.self))") }
    if let next { lines.append("next: \(next)") }
    return lines.joined(separator: "\n")
  }
}
