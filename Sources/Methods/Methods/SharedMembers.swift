import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Plans
import Store

/// The name that a grant is stored under.
struct AccountName: FieldValue {
  /// In bytes. The name becomes part of a file's name.
  private static let limit = 200

  static var schema: JSON { ["type": "string", "minLength": 1, "maxLength": .integer(limit)] }
  static var placeholder: AccountName { AccountName(value: "account") }

  let value: String

  static func read(_ json: JSON, at path: String) throws(FieldError) -> AccountName {
    let name = try String.read(json, at: path)
    guard !name.isEmpty else { throw FieldError(path, "must not be empty") }
    guard name.utf8.count <= limit else { throw FieldError(path, "must not be longer than \(limit) bytes") }
    guard !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw FieldError(path, "must not contain control characters") }
    return AccountName(value: name)
  }

  func write(to writer: inout JSONWriter) { writer.string(value) }
}

extension ObjectReader {
  /// Reads the member `account`, which nearly every method has.
  mutating func account() throws(FieldError) -> String {
    let name: AccountName = try required("account", "The account's name, of at most 200 bytes in UTF-8.")
    return name.value
  }

  /// Reads for how long the token must stay valid. `standard` is the default.
  mutating func minimumValidity(by standard: Grant.Validity) throws(FieldError) -> Grant.Validity {
    let seconds = try optional(
      "minimumValidity", in: 0...31_536_000,
      "The seconds for which the token must stay valid; more than half of its lifetime counts as half. The default is "
        + "\(standard == .handOut ? 300 : 60), or a quarter of the lifetime if that is shorter.")
    return seconds.map(Grant.Validity.seconds) ?? standard
  }

  /// Reads how long the caller waits for a provider's answer.
  mutating func providerTimeout(_ more: String = "") throws(FieldError) -> Int {
    try optional(
      "timeout", in: 1...86_400, default: Accounts.defaultTimeoutSeconds, "The seconds after which the call fails with `timedOut`." + more)
  }

  /// Reads how long the caller waits for a valid token. Another process may hold the account's lock, or a token endpoint may be silent.
  mutating func tokenTimeout() throws(FieldError) -> Int { try providerTimeout(" A refresh continues without the call.") }
}

/// An answer object that is nested in another one.
package protocol NestedObject: JSONObjectConvertible, FieldValue {}

extension NestedObject {
  package static var schemaName: String? { "\(Self.self)" }
  package static var placeholder: Self { sample }

  /// Always throws, because these objects are only written.
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { throw FieldError(path, "is not read here") }
}

/// The limits as `initialize` shows them. A member that is missing limits nothing.
extension Limits: NestedObject {
  package static var schemaName: String? { "LimitState" }
  package static var sample: Limits {
    var limits = Limits()
    (limits.accounts, limits.methods, limits.profile) = ([], [], "")
    (limits.isReadOnly, limits.returnsNoTokens, limits.allowsKnownProvidersOnly) = (true, true, true)
    return limits
  }

  package func list(_ members: inout ObjectWriter) {
    members.add(optional: "accounts", accounts, Rule.accounts.documentation)
    members.add(optional: "allow", methods, Rule.allow.documentation)
    members.add(optional: "readOnly", isReadOnly ? true : nil, Rule.readOnly.documentation)
    members.add(optional: "noTokens", returnsNoTokens ? true : nil, Rule.noTokens.documentation)
    let calls = calls.isEmpty ? nil : calls.map { $0.map(\.text) }
    members.add(optional: "allowCall", calls, "The allowed API calls. Each list must have a rule for a call.")
    members.add(optional: "files", files?.text, Rule.files.documentation)
    members.add(optional: "knownProviders", allowsKnownProvidersOnly ? true : nil, Rule.knownProviders.documentation)
    members.add(optional: "profile", profile, "The set of limits in the configuration.")
  }

  var isEmpty: Bool { anyRule == nil && profile == nil }

  func check(_ method: MethodEntry<Service>) throws(OAuthFailure) {
    guard method.effect != .session else { return }
    try check(method: method.name, changes: method.effect == .changes, returnsCredential: method.effect == .returnsCredential)
  }

  package func allows(_ method: MethodEntry<Service>) -> Bool { (try? check(method)) != nil }
}

extension Authorize {
  /// The result, also of `addScopes`, `awaitSignIn` and `refresh`.
  struct Result: JSONObjectConvertible {
    static let schemaName: String? = "AuthorizationResult"
    static var sample: Result { Result(authorization: .sample, refreshed: false, dryRun: .sample) }

    enum Status: String, DescribedEnum {
      static let schemaName: String? = "AuthorizationStatus"

      case authorized, pending, dryRun
    }

    var authorization: Authorization
    /// Only `refresh` sends this.
    var refreshed: Bool?
    /// Only `authorize` with `dryRun` sends this.
    var dryRun: DryRun?

    private var status: Status { dryRun != nil ? .dryRun : authorization.via == nil ? .pending : .authorized }

    func list(_ members: inout ObjectWriter) {
      let isPending = authorization.via == nil
      members.add("account", authorization.account, "The account's name.")
      members.add("status", status, "The state of the account after the call.")
      members.add(optional: "via", authorization.via, "The origin of the grant.")
      members.add(optional: "grantedScopes", isPending ? nil : authorization.grantedScopes, "The granted scopes.")
      members.add(
        optional: "missingScopes", authorization.missingScopes.isEmpty ? nil : authorization.missingScopes,
        "The requested scopes that were not granted.")
      members.add(optional: "tokenType", authorization.tokenType, "The access token's type.")
      members.add(optional: "expiresAt", authorization.expiresAt, "When the access token expires, in Unix seconds.")
      members.add("canRefresh", authorization.canRefresh, "Whether the process can replace the access token without a sign-in.")
      members.add(optional: "subject", authorization.subject, "The user's identifier at the provider.")
      members.add(optional: "email", authorization.email, "The user's e-mail address.")
      members.add(
        optional: "subjectChanged", authorization.subjectChanged ? true : nil,
        "Whether a different user signed in. Only `interaction` `always` allows that.")
      members.add(optional: "signIn", authorization.signIn, "The open sign-in of the account.")
      members.add(optional: "refreshed", refreshed, "Whether this call replaced the token.")
      members.add(optional: "dryRun", dryRun, "The requests that a sign-in would send.")
    }
  }
}
