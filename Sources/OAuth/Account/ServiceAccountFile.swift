import Jansson
import OAuthCore
import Plans
import Store

/// A file of Google's. What it stands for goes only to Google and to servers that the configuration names: such a file may come from
/// elsewhere, and it says what to read.
private struct ServiceAccountFile {
  let json: JSON
  let asked: AuthorizationPlan
  let credentials: ConfiguredCredentials

  private var accounts: Accounts { credentials.accounts }

  func fault(_ problem: String) -> OAuthFailure { .secretProblem(asked.account, "serviceAccount", problem) }

  private func text(_ name: String, in object: JSON? = nil) throws -> String {
    guard let text = (object ?? json)[name]?.string, !text.isEmpty else { throw fault("has no \(name)") }
    return text
  }

  private func endpoint(_ name: String, in object: JSON? = nil) throws -> String {
    let url = try text(name, in: object)
    if let problem = Provider.problem(ofEndpoint: url) { throw fault("has a \(name) that \(problem)") }
    return url
  }

  func knownEndpoint(_ name: String) throws -> String {
    let url = try endpoint(name)
    // Files of early years name accounts.google.com.
    let isGoogle = (try? URLParts(url)).map { $0.host.hasSuffix(".googleapis.com") || $0.host == "accounts.google.com" } == true
    if isGoogle || asked.provider.origins.contains(Provider.origin(url)) { return url }
    throw fault("has a \(name) at a server that is neither Google's nor named by the configured provider")
  }

  private func scopes(_ impersonated: String?) -> [String] { impersonated == nil ? asked.scopes : [ServiceAccount.impersonating] }

  /// The key of a service account signs an assertion (RFC 7523, 2.1), with the scopes in it.
  func signed(_ impersonated: String?) throws -> ClientCall {
    let endpoint = try knownEndpoint("token_uri")
    let claims: [JSON.Member?] = [
      .init("iss", .string(try text("client_email"))), .init("aud", .string(endpoint)),
      .init("scope", .string(scopes(impersonated).joined(separator: " "))), .init("exp", 3600),
      asked.request.sources.subject.map { .init("sub", .string($0)) },
    ]
    var call = ClientCall(request: ClientRequest())
    call.request.flow = .jwtBearer
    call.request["assertionClaims"] = .object(claims.compactMap(\.self))
    call.service = ServiceAccount(tokenEndpoint: endpoint, scopes: [], impersonated: impersonated)
    call.service?.key = ClientKey(.text(Secret(try text("private_key"))), id: json["private_key_id"]?.string, algorithm: "RS256")
    return call
  }

  /// A workload of another platform exchanges the platform's token (AIP 4117).
  func exchanged(_ impersonated: String?) async throws -> ClientCall {
    if asked.request.sources.subject != nil { throw fault("is of the type external_account, which acts for no subject") }
    var call = ClientCall(request: ClientRequest())
    call.request.flow = .tokenExchange
    call.request["requestedTokenType"] = .string(TokenType.uri("access_token"))
    call.request["audience"] = .array([.string(try text("audience"))])
    call.request["subjectTokenType"] = .string(try text("subject_token_type"))
    call.request["subjectToken"] = .string(try await subjectToken(impersonated))
    call.service = ServiceAccount(tokenEndpoint: try knownEndpoint("token_url"), scopes: scopes(impersonated), impersonated: impersonated)
    call.service?.lifetime = json["service_account_impersonation"]?["token_lifetime_seconds"]?.integer ?? 3600
    return call
  }

  private func subjectToken(_ impersonated: String?) async throws -> String {
    let origin = json["credential_source"]
    var found: String?
    if let path = origin?["file"]?.string {
      found = try await accounts.secret(.file(path), asked.account, "serviceAccount").value
    } else if origin?["url"] != nil {
      let url = try URLParts(try endpoint("url", in: origin))
      let headers = (origin?["headers"]?.members ?? []).compactMap { member in member.value.string.map { HTTPHeader(member.name, $0) } }
      found = String(decoding: try await credentials.platformAnswer(url, headers, asked.account), as: UTF8.self)
    } else if let command = origin?["executable"]?["command"]?.string {
      return try await output(of: command, impersonated)
    }
    guard let found else { throw fault("has a credential_source without file, url and executable, and no other kind can be used") }
    guard origin?["format"]?["type"] == "json" else { return String(found.trimmed) }
    let name = try text("subject_token_field_name", in: origin?["format"])
    if let token = (try? JSON.parse(Array(found.utf8)))?[name]?.string { return token }
    throw fault("names the member \(name.plain), and the source has none")
  }

  /// The command learns from variables what its token is for.
  private func output(of command: String, _ impersonated: String?) async throws -> String {
    guard command == asked.request.sources.executable else {
      throw fault("names a command, which runs only if executable of the account is the same command: \(command.plain)")
    }
    let email = impersonated?.split(separator: "/").last?.split(separator: ":").first.map(String.init)
    let variables = [
      ("AUDIENCE", try text("audience")), ("TOKEN_TYPE", try text("subject_token_type")), ("INTERACTIVE", "0"), ("REVOKE", "0"),
      ("IMPERSONATED_EMAIL", email ?? ""),
    ]
    let words = ["env"] + variables.map { "GOOGLE_EXTERNAL_ACCOUNT_\($0.0)=\($0.1)" } + command.split(separator: " ").map(String.init)
    let output = try await accounts.secret(.command(words), asked.account, "serviceAccount").value
    let answer = try? JSON.parse(Array(output.utf8))
    if let end = answer?["expiration_time"]?.integer, end <= accounts.now { throw fault("names a command that printed an ended token") }
    if answer?["success"] == true, let token = (answer?["id_token"] ?? answer?["saml_response"])?.string { return token }
    throw fault("names a command that printed no token: \(answer?["message"]?.string?.plain ?? "no answer that can be read")")
  }
}

extension ConfiguredCredentials {
  /// Returns the request that the account's file of Google's stands for.
  func serviceAccountCall(_ source: SecretSource, _ asked: AuthorizationPlan) async throws -> ClientCall {
    let text = FileText.decoded(try await accounts.secret(source, asked.account, "serviceAccount").value)
    let file = ServiceAccountFile(json: (try? JSON.parse(Array(text.utf8))) ?? .null, asked: asked, credentials: self)
    if file.json.members == nil { throw file.fault("is not the JSON of Google's file: give the file as it is, or encode it in base64") }
    let named = asked.request.sources.impersonate.map {
      "https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/\(PercentEncoding.encode($0)):generateAccessToken"
    }
    switch file.json["type"]?.string {
    case "service_account": return try file.signed(named)
    case "external_account":
      let url = "service_account_impersonation_url"
      return try await file.exchanged(try named ?? (file.json[url] == nil ? nil : file.knownEndpoint(url)))
    case let type: throw file.fault("is of the type \(type?.plain ?? "unknown"): it must be service_account or external_account")
    }
  }
}
