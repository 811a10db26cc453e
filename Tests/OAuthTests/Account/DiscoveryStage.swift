@testable import OAuth
@testable import OAuthCore
@testable import Plans
@testable import Platform

/// A stage whose provider is named by a URL.
struct DiscoveryStage {
  let server = PreparedResponses()
  let stage: Stage

  init() { stage = Stage(server, catalog: ProviderCatalog.builtIn.adding(Discovery.Cache())) }

  var request: AuthorizationInput {
    var request = Stage.request()
    request.provider = .url("https://id.example")
    return request
  }

  func publish(token: String = "https://id.example/token", headers: [HTTPHeader] = []) {
    server.publish(
      #"{"issuer":"https://id.example","authorization_endpoint":"https://id.example/a","token_endpoint":"\#(token)"}"#, headers: headers)
  }

  func discover(_ request: AuthorizationInput) async throws {
    guard let provider = request.provider else { return }
    _ = try await stage.accounts.provider(provider, request.variables ?? .init(), in: 60)
  }

  func signIn() async throws {
    publish()
    try await discover(request)
    let (prompt, state) = try await stage.begin(request)
    server.add(body: #"{"access_token":"A","refresh_token":"R","expires_in":3600}"#)
    _ = try await stage.accounts.handleRedirect("code=c&state=\(state)")
    _ = try await stage.accounts.awaitSignIn(id: prompt.id, timeout: 5)
  }
}

extension PreparedResponses {
  /// Answers as a server that publishes OAuth metadata, but no resource metadata and no OpenID Connect metadata.
  func publish(_ document: String, headers: [HTTPHeader] = []) {
    add(status: 404, body: "")
    add(headers: headers, body: document)
    add(status: 404, body: "")
  }
}
