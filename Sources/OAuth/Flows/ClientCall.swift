import Jansson
import OAuthCore
import Store

/// A request for a token without a user, with all its tokens read.
struct ClientCall: Sendable {
  var request: ClientRequest

  init(request: ClientRequest) { self.request = request }

  /// A request with placeholders in the place of tokens. Nothing is read for a dry run.
  init(dryRunOf plan: AuthorizationPlan) {
    typealias Placeholder = DryRun.Placeholder
    request = plan.request.clientRequest
    if request.flow == .identityAssertion { request.flow = .jwtBearer }
    request.subjectToken = Secret(request.flow == .jwtBearer ? Placeholder.assertion : Placeholder.subjectToken)
    if request.actorToken != nil || plan.request.sources.actorToken != nil { request.actorToken = Secret(Placeholder.actorToken) }
  }

  static let jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  static let tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"

  /// The parameters that the flow itself sets.
  static func ownParameters(_ flow: AuthorizationInput.Flow) -> [String] {
    switch flow {
    case .jwtBearer, .identityAssertion: ["assertion"]
    case .tokenExchange: ["subject_token", "subject_token_type", "actor_token", "actor_token_type", "requested_token_type"]
    case .auto, .browser, .device, .clientCredentials: []
    }
  }

  func tokenRequest(scopes: [String], _ parameters: NamedValues<String>) throws -> TokenRequest {
    .client(scopes: scopes, parameters: parameters, own: try fields())
  }

  /// The fields of the grant type; empty for client credentials.
  private func fields() throws -> [(name: String, value: String)] {
    if request.flow == .clientCredentials { return [] }
    guard let subject = request.subjectToken else { throw FieldError.missing("/subjectToken") }
    guard request.flow == .tokenExchange else { return [("grant_type", Self.jwtBearer), ("assertion", subject.value)] }
    var fields = [
      ("grant_type", Self.tokenExchange), ("subject_token", subject.value),
      ("subject_token_type", (request.subjectTokenType ?? .jwt).uri),
    ]
    if let actor = request.actorToken {
      fields += [("actor_token", actor.value), ("actor_token_type", (request.actorTokenType ?? .jwt).uri)]
    }
    if let type = request.requestedTokenType { fields.append(("requested_token_type", type.uri)) }
    return fields + (request.audience?.values ?? []).map { ("audience", $0) }
  }
}
