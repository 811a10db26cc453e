import Jansson
import OAuthCore
import Store

/// Where the configuration has the tokens of a request without a user. They are read for each request.
package struct ClientSources: Sendable {
  var subjectToken: ConfiguredAccount.SecretSource?
  var actorToken: ConfiguredAccount.SecretSource?
  var clientAssertion: ConfiguredAccount.SecretSource?
  /// A file of Google's, the user whom its account acts for, and the service account that it impersonates.
  var serviceAccount: ServiceAccountSource?
  var subject: String?
  var impersonate: String?

  var isEmpty: Bool { serviceAccount == nil && all.allSatisfy { $0.source == nil } }

  /// The sources with their members' names.
  var all: [(member: String, source: ConfiguredAccount.SecretSource?)] {
    [("subjectToken", subjectToken), ("actorToken", actorToken), ("clientAssertion", clientAssertion)]
  }

  init() {}

  init(_ fields: inout ObjectReader) throws(FieldError) {
    subjectToken = try fields.optional(
      "subjectToken", "The assertion, or the token to exchange, or its source, which is read for each request.")
    actorToken = try fields.optional("actorToken", "The token of the acting party (RFC 8693, 2.1), or its source.")
    clientAssertion = try fields.optional(
      "clientAssertion", "The client's assertion (RFC 7523, 2.2) as another program makes it, or its source, which is read for each request.")
    serviceAccount = try fields.optional(
      "serviceAccount", "The file of a service account of Google's, or of a workload of another platform. It stands for the client.")
    subject = try fields.optional("subject", "The e-mail address of the user whom the service account acts for (domain-wide delegation).")
    impersonate = try fields.optional("impersonate", "The e-mail address of the service account that the one of the file impersonates.")
    guard !fields.isDescribing, serviceAccount == nil else { return }
    for (member, value) in [("subject", subject), ("impersonate", impersonate)] where value != nil {
      throw FieldError(fields.pointer(member), "needs a serviceAccount")
    }
  }
}

/// A file of Google's in the configuration: of a service account, or of a workload of another platform.
package struct ServiceAccountSource: FieldObject {
  package static let schemaName: String? = "ServiceAccount"

  let file: String
  let executable: String?

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    file = try fields.required("file", "The absolute path of the file, of the type `service_account` or `external_account`.")
    executable = try fields.optional(
      "executable", "The command in an `external_account` file that the process may run. It must be exactly that of the file.")
    guard !fields.isDescribing, !file.hasPrefix("/") || file.utf8.contains(0) else { return }
    throw FieldError(fields.pointer("file"), "must be an absolute path")
  }
}

extension ConfiguredAccount {
  /// Where the entry's secrets come from.
  package var secretSources: [SecretSource] {
    [clientSecret, privateKey, sources.serviceAccount.map { .file($0.file) }].compactMap(\.self) + sources.all.compactMap(\.source)
  }

  /// Rejects members that the account's flow does not send.
  func checkClientMembers(_ fields: ObjectReader) throws(FieldError) {
    let members = sources.all.compactMap { $0.source == nil ? nil : $0.member } + [clientRequest.firstMember].compactMap(\.self)
    if let member = members.first, !flow.isForClient {
      throw FieldError(fields.pointer(member), "needs a flow without a user", ", such as jwtBearer or tokenExchange")
    }
    for (member, source) in [("clientSecret", clientSecret), ("privateKey", privateKey)] {
      switch source {
      case .githubActions, .account: throw FieldError(fields.pointer(member), "cannot come from another account or from a job")
      default: break
      }
    }
    guard flow == .identityAssertion else { return }
    if case .account = sources.subjectToken { return }
    throw FieldError(fields.pointer("subjectToken"), "must be {\"account\": …}", ": the account of the user's identity provider")
  }
}

extension AuthorizationInput {
  /// Completes what the caller brings for a flow without a user from the account's entry, if that is of the same flow.
  func complete(_ request: inout AuthorizationPlan.Request, _ configured: ConfiguredAccount?) {
    request.clientRequest = clientRequest
    guard let flow = request.flow.clientFlow else { return }
    request.clientRequest.flow = flow
    guard let configured, configured.flow == request.flow else { return }
    let own = configured.clientRequest
    request.clientRequest.subjectTokenType = clientRequest.subjectTokenType ?? own.subjectTokenType
    request.clientRequest.actorTokenType = clientRequest.actorTokenType ?? own.actorTokenType
    request.clientRequest.requestedTokenType = clientRequest.requestedTokenType ?? own.requestedTokenType
    request.clientRequest.audience = clientRequest.audience ?? own.audience
    request.clientRequest.assertionClaims = clientRequest.assertionClaims ?? own.assertionClaims
    request.sources = configured.sources
    if clientRequest.subjectToken != nil { request.sources.subjectToken = nil }
    if clientRequest.actorToken != nil { request.sources.actorToken = nil }
    if clientRequest.clientAssertion != nil { request.sources.clientAssertion = nil }
  }

  /// What the caller brings that the account would store, for messages; nil if that is nothing.
  var broughtSecret: String? {
    if clientSecret != nil { return "a client secret" }
    if privateKey != nil { return "a client key" }
    return clientRequest.firstMember == nil ? nil : "a request for another token"
  }

  /// Reads the members of `authorize` for flows without a user.
  package mutating func readClientRequest(_ fields: inout ObjectReader) throws(FieldError) {
    func text(_ name: String, _ documentation: String) throws(FieldError) -> Secret? {
      let text: TextOnly? = try fields.optional(name, documentation)
      return text?.secret
    }
    clientRequest.subjectToken = try text("subjectToken", "With `jwtBearer`, the assertion. With `tokenExchange`, the token to exchange.")
    clientRequest.actorToken = try text("actorToken", "The token of the acting party (RFC 8693, 2.1).")
    clientRequest.clientAssertion = try text("clientAssertion", "The client's assertion (RFC 7523, 2.2) as another program makes it.")
    try clientRequest.readValues(&fields)
  }
}

/// A secret that a caller brings. A client on the pipe must not make the process read a file or run a command.
private struct TextOnly: FieldValue {
  let secret: Secret

  static var schema: JSON { Secret.schema }
  static let placeholder = TextOnly(secret: .placeholder)

  static func read(_ json: JSON, at path: String) throws(FieldError) -> TextOnly {
    if case .object = json { throw FieldError(path, "must be a string", ": a source belongs to the account's entry in the configuration") }
    return TextOnly(secret: try Secret.read(json, at: path))
  }

  func write(to writer: inout JSONWriter) { writer.null() }
}
