import Jansson
import OAuthCore
import Platform

/// What the provider publishes.
extension AccountDiagnosis {
  /// Says where metadata, issuer, client and scopes come from if the provider was found from a URL.
  mutating func addSources() {
    guard let url = plan.provider.discovery, let sources = dependencies.servers.discoveries?.sources(of: url) else { return }
    if let place = sources.resource { add("metadata", .ok, "the API is described at \(place)") }
    add(
      "issuer", .ok,
      sources.server.map { "\(plan.provider.shownIssuer ?? ""), which is described at \($0)" }
        ?? "no metadata is published, so the endpoints are at the root of the API's host, as in MCP 2025-03-26")
    if let change = plan.issuerChange { add("issuer", .warning, "the grant is of \(change.previous)", advice: "sign in again") }
    if !plan.isUnregistered {
      let source = plan.registersClient ? "this process registered it" : plan.hasDocument ? "its metadata is at that URL" : "it was named"
      add("client", .ok, "\(plan.client.id.plain): \(source)")
    }
    let origin: String =
      switch sources.scopes {
      case _ where plan.namesScopes: "named by the configuration"
      case .challenge: "as the API's challenge demands"
      case .resource: "as the API's metadata says"
      case .none: "the API demands none"
      }
    add("scopes", .ok, "\(plan.scopes.isEmpty ? "none" : plan.scopes.joined(separator: " ")): \(origin)")
  }

  /// Compares the client authentication and the scopes with the issuer's metadata (RFC 8414, 2).
  mutating func compareWithMetadata() async {
    guard let issuer = provider.issuer, let url = try? URLParts(issuer) else { return }
    for place in MetadataDocument.WellKnown.server(url).joined() {
      let request = HTTPRequest(method: "GET", url: place, headers: [HTTPHeader("Accept", "application/json")])
      do {
        let response = try await look(at: place) { [dependencies, provider] in try await dependencies.http.exchange(request, to: provider) }
        compareClocks(response, url.host)
        guard response.status == 200, let document = try? JSON.parse(response.body) else { continue }
        return compare(with: document)
      } catch let failure as OAuthFailure {
        return add("metadata", .warning, failure.message, advice: failure.networkAdvice)
      } catch {
        return
      }
    }
  }

  private mutating func compare(with document: JSON) {
    func words(_ name: String) -> [String]? { document[name]?.array?.compactMap(\.string) }
    let wanted: [String] =
      switch provider.token.clientAuthentication {
      case .clientSecretJwt: ["client_secret_jwt"]
      case .privateKeyJwt: ["private_key_jwt"]
      case .tlsClientAuth: ["tls_client_auth"]
      case .selfSignedTlsClientAuth: ["self_signed_tls_client_auth"]
      case _ where plan.client.secret == nil && plan.client.key != nil: ["private_key_jwt"]
      case _ where plan.client.secret == nil: ["none"]
      case .none: ["none"]
      case .body: ["client_secret_post"]
      case .basic, .basicAlways, .basicWithClientId, .basicUnencoded: ["client_secret_basic"]
      case .probe: ["client_secret_basic", "client_secret_post"]
      }
    // Without the member, the default is HTTP Basic (RFC 8414, 2).
    let methods = words("token_endpoint_auth_methods_supported") ?? ["client_secret_basic"]
    // A registration agrees with the server on a method.
    if plan.provider.protocolName == .oauth2, !plan.registersClient, !wanted.contains(where: methods.contains) {
      let hasSecret = plan.client.hasCredential
      add(
        "clientAuthentication", .warning,
        "the client authenticates by \(wanted.joined(separator: " or ")), and the provider publishes \(Self.list(methods))",
        advice: hasSecret
          ? "set clientAuthentication in the provider's description"
          : "register a client with a secret, or a public client if there are such")
    }
    let supported = words("scopes_supported") ?? plan.scopes
    // An API names scopes that its server need not list.
    if plan.provider.isFoundFromAPI, !plan.namesScopes { return }
    let unknown = plan.scopes.filter { !supported.contains($0) }
    if !unknown.isEmpty {
      add(
        "scopes", .warning, "the provider does not publish the scopes \(Self.list(unknown))",
        advice: "compare their spelling with the provider's documentation")
    }
  }
}

/// One thing that a diagnosis looked at, and what it found. It contains no secret, so that users can paste it into a bug report.
package struct Finding: Sendable, Equatable {
  package enum State: String, DescribedEnum {
    package static let schemaName: String? = "FindingState"

    case ok, warning, failed
  }

  /// What was looked at, such as `clock`.
  package var check: String
  package var state: State
  package var message: String
  /// What the user can do.
  package var advice: String?

  package init(_ check: String, _ state: State, _ message: String, advice: String? = nil) {
    (self.check, self.state, self.message, self.advice) = (check, state, message, advice)
  }
}
