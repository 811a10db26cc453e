import Jansson
import OAuthCore
import Store

extension Accounts {
  /// Returns the request that the account's file stands for.
  func serviceAccountCall(_ source: ServiceAccountSource, _ asked: AuthorizationPlan) async throws -> ClientCall {
    let sources = asked.request.sources
    let file = try await ServiceAccountFile(source, asked.account, self)
    let impersonated = sources.impersonate.map {
      "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(PercentEncoding.encode($0)):generateAccessToken"
    }
    switch file["type"]?.string {
    case "service_account":
      return try await file.signed(asked, subject: sources.subject, impersonated, dependencies)
    case "external_account":
      guard sources.subject == nil else { throw file.fault("is of the type external_account, which has no subject", member: "subject") }
      return try await file.exchanged(asked, impersonated)
    case let type:
      throw file.fault("is of the type \(type?.plain ?? "unknown"): it must be service_account or external_account")
    }
  }
}

/// A file of Google's. Its credentials go only to endpoints that itself or the configuration names.
private struct ServiceAccountFile {
  let json: JSON
  let source: ServiceAccountSource
  let account: String
  let accounts: Accounts

  init(_ source: ServiceAccountSource, _ account: String, _ accounts: Accounts) async throws {
    (self.source, self.account, self.accounts) = (source, account, accounts)
    let text = try await accounts.secret(.file(source.file), account, "serviceAccount")
    json = (try? JSON.parse(Array(text.value.utf8))) ?? .null
  }

  subscript(_ name: String) -> JSON? { json[name] }

  func fault(_ problem: String, member: String = "serviceAccount") -> OAuthFailure {
    let path = ObjectReader.pointer(to: member, in: ObjectReader.pointer(to: account, in: "/accounts"))
    return .misconfigured(path, "the configuration's \(path): \(source.file.plain) \(problem)").of(account)
  }

  private func text(_ name: String, in object: JSON? = nil) throws -> String {
    guard let text = (object ?? json)[name]?.string, !text.isEmpty else { throw fault("has no \(name)") }
    return text
  }

  private func endpoint(_ name: String, in object: JSON? = nil) throws -> String {
    let url = try text(name, in: object)
    if let problem = Provider.problem(ofEndpoint: url) { throw fault("has a \(name) that \(problem)") }
    return url
  }

  /// The key of a service account signs an assertion (RFC 7523, 2.1), with the scopes in it.
  func signed(_ asked: AuthorizationPlan, subject: String?, _ impersonated: String?, _ dependencies: Dependencies) async throws -> ClientCall {
    let endpoint = try endpoint("token_uri")
    guard asked.provider.origins.contains(Provider.origin(endpoint)) else {
      throw fault("has a token_uri at a server that is neither Google's nor named by the configured provider")
    }
    let scopes = impersonated == nil ? asked.scopes : [ServiceAccount.impersonating]
    let now = dependencies.clock.now
    var claims: [JSON.Member] = [
      .init("iss", .string(try text("client_email"))), .init("aud", .string(endpoint)),
      .init("scope", .string(scopes.joined(separator: " "))), .init("iat", .integer(now)), .init("exp", .integer(now + 3600)),
    ]
    if let subject { claims.append(.init("sub", .string(subject))) }
    let key = ClientKey(.text(Secret(try text("private_key"))), id: json["private_key_id"]?.string, algorithm: SigningAlgorithm.rs256.rawValue)
    var call = ClientCall(request: asked.request.clientRequest)
    call.request["subjectToken"] = .string(try await dependencies.signed(claims, header: [.init("typ", "JWT")], by: key).value)
    call.service = ServiceAccount(tokenEndpoint: endpoint, scopes: [], impersonated: impersonated)
    return call
  }

  /// A workload of another platform exchanges the platform's token (AIP 4117).
  func exchanged(_ asked: AuthorizationPlan, _ impersonated: String?) async throws -> ClientCall {
    let own = json["service_account_impersonation_url"] == nil ? nil : try endpoint("service_account_impersonation_url")
    let impersonated = impersonated ?? own
    var call = ClientCall(request: ClientRequest())
    call.request.flow = .tokenExchange
    call.request["requestedTokenType"] = .string(TokenType.uri("access_token"))
    call.request["audience"] = .array([.string(try text("audience"))])
    call.request["subjectTokenType"] = .string(try text("subject_token_type"))
    call.request["subjectToken"] = .string(try await subjectToken().value)
    let scopes = impersonated == nil ? asked.scopes : [ServiceAccount.impersonating]
    call.service = ServiceAccount(tokenEndpoint: try endpoint("token_url"), scopes: scopes, impersonated: impersonated)
    return call
  }

  private func subjectToken() async throws -> Secret {
    let origin = json["credential_source"]
    if let path = origin?["file"]?.string {
      return try token(in: try await accounts.secret(.file(path), account, "serviceAccount").value, origin?["format"])
    }
    if origin?["url"] != nil, let url = try? URLParts(try endpoint("url", in: origin)) {
      let headers = (origin?["headers"]?.members ?? []).compactMap { member in member.value.string.map { HTTPHeader(member.name, $0) } }
      return try token(in: String(decoding: try await accounts.platformAnswer(url, headers, account), as: UTF8.self), origin?["format"])
    }
    if let command = origin?["executable"]?["command"]?.string { return try await output(of: command) }
    throw fault("has a credential_source without file, url and executable, and no other kind can be used")
  }

  private func token(in text: String, _ format: JSON?) throws -> Secret {
    guard format?["type"] == "json" else { return Secret(String(text.trimmed)) }
    let name = try self.text("subject_token_field_name", in: format)
    guard let token = (try? JSON.parse(Array(text.utf8)))?[name]?.string else { throw fault("names the member \(name.plain), and the source has none") }
    return Secret(token)
  }

  private func output(of command: String) async throws -> Secret {
    guard command == source.executable else {
      throw fault("names a command, which runs only if executable of serviceAccount is the same command: \(command.plain)")
    }
    let words = command.split(separator: " ").map(String.init)
    let output = try await accounts.secret(.command(words), account, "serviceAccount").value
    let answer = try? JSON.parse(Array(output.utf8))
    guard answer?["success"] == true, let token = (answer?["id_token"] ?? answer?["saml_response"])?.string else {
      throw fault("names a command that printed no token: \(answer?["message"]?.string?.plain ?? "no answer that can be read")")
    }
    return Secret(token)
  }
}
