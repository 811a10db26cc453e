import Jansson
import OAuthCore
import Plans

/// A named set of limits in the configuration, for `--profile`. The options and the profile both apply.
package struct LimitProfile: FieldObject {
  package static let schemaName: String? = "LimitProfile"

  var accounts: [String]?
  var allow: [String]?
  package var readOnly: Bool
  package var noTokens: Bool
  var allowCall: [CallRule]?
  var files: FileFolder?
  var knownProviders: Bool

  init() { (readOnly, noTokens, knownProviders) = (false, false, false) }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    accounts = try fields.optional("accounts", "The accounts that the client may use.")
    allow = try fields.optional("allow", "The methods that the client may call.")
    readOnly = try fields.optional("readOnly", default: false, Limits.Rule.readOnly.documentation)
    noTokens = try fields.optional("noTokens", default: false, Limits.Rule.noTokens.documentation)
    let calls: [String]? = try fields.optional(
      "allowCall", "The allowed API calls, such as `GET https://api.example.com/**`. `*` stands for a part of the path without a slash.")
    let folder: String? = try fields.optional("files", "The only folder for the files of API calls.")
    knownProviders = try fields.optional("knownProviders", default: false, Limits.Rule.knownProviders.documentation)
    if let calls {
      var rules: [CallRule] = []
      for (index, text) in calls.enumerated() { rules.append(try CallRule(text, at: fields.pointer("allowCall") + "/\(index)")) }
      allowCall = rules
    }
    if let folder { files = try FileFolder(folder, at: fields.pointer("files")) }
  }

  /// Rejects `[]`, which other objects accept for `{}`, because the process would start without limits.
  package static func read(_ json: JSON, at path: String) throws(FieldError) -> LimitProfile {
    if case .array = json { throw FieldError(path, "must be an object, not \(json.kind)") }
    return try decode(json, at: path)
  }

  /// Allows only those of the accounts that the set allows. If it allows none of them, it stays as it is, so that the error names what it allows.
  package mutating func narrow(toAccounts names: [String]) {
    guard let own = accounts else { return accounts = names }
    let both = names.filter { name in own.contains { AccountKey($0) == AccountKey(name) } }
    if !both.isEmpty { accounts = both }
  }

  /// Adds the limits of this set. Two lists allow what both contain.
  func narrow(_ limits: inout Limits) throws(FieldError) {
    if let accounts {
      limits.accounts = limits.accounts.map { $0.filter { name in accounts.contains { AccountKey($0) == AccountKey(name) } } } ?? accounts
    }
    if let allow { limits.methods = limits.methods.map { $0.filter(allow.contains) } ?? allow }
    limits.isReadOnly = limits.isReadOnly || readOnly
    limits.returnsNoTokens = limits.returnsNoTokens || noTokens
    if let allowCall { limits.calls.append(allowCall) }
    limits.allowsKnownProvidersOnly = limits.allowsKnownProvidersOnly || knownProviders
    guard let files else { return }
    guard limits.files == nil || limits.files == files else {
      throw FieldError("/files", "conflicts with --files, which names a different folder")
    }
    limits.files = files
  }
}
