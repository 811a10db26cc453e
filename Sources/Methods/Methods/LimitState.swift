import JSONRPC
import Jansson
import OAuth
import OAuthCore

/// The limits as `initialize` shows them. A member that is missing limits nothing.
struct LimitState: NestedObject {
  static var sample: LimitState {
    var limits = Limits()
    (limits.accounts, limits.methods, limits.profile) = ([], [], "")
    (limits.isReadOnly, limits.returnsNoTokens, limits.allowsKnownProvidersOnly) = (true, true, true)
    return LimitState(limits: limits)
  }

  let limits: Limits

  func list(_ members: inout ObjectWriter) {
    members.add(optional: "accounts", limits.accounts, Limits.Rule.accounts.documentation)
    members.add(optional: "allow", limits.methods, Limits.Rule.allow.documentation)
    members.add(optional: "readOnly", limits.isReadOnly ? true : nil, Limits.Rule.readOnly.documentation)
    members.add(optional: "noTokens", limits.returnsNoTokens ? true : nil, Limits.Rule.noTokens.documentation)
    members.add(
      optional: "allowCall", limits.calls.isEmpty ? nil : limits.calls.map { $0.map(\.text) },
      "The allowed API calls. Each list must have a rule for a call.")
    members.add(optional: "files", limits.files?.text, Limits.Rule.files.documentation)
    members.add(optional: "knownProviders", limits.allowsKnownProvidersOnly ? true : nil, Limits.Rule.knownProviders.documentation)
    members.add(optional: "profile", limits.profile, "The set of limits in the configuration.")
  }
}

extension Limits {
  var isEmpty: Bool {
    accounts == nil && methods == nil && !isReadOnly && !returnsNoTokens && calls.isEmpty && files == nil && !allowsKnownProvidersOnly
      && profile == nil
  }

  func check(_ method: MethodEntry<Service>) throws(OAuthFailure) {
    guard method.effect != .session else { return }
    try check(method: method.name, changes: method.effect == .changes, returnsCredential: method.effect == .returnsCredential)
  }

  package func allows(_ method: MethodEntry<Service>) -> Bool { (try? check(method)) != nil }
}
