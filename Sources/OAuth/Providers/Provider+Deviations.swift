import Jansson

extension Provider {
  /// What is said of a provider that is not where something is but how it deviates, and why.
  package struct Deviation: Sendable {
    /// The member's name; `variables.tenant` where the reason is about a part of one.
    package var member: String
    package var value: JSON
    package var reason: String?
    package var isUnconfirmed: Bool

    package init(member: String, value: JSON, reason: String?, isUnconfirmed: Bool) {
      self.member = member
      self.value = value
      self.reason = reason
      self.isUnconfirmed = isUnconfirmed
    }
  }

  /// Members that every provider has a value for: they deviate from nothing.
  private static let facts: Set<String> = [
    "$schema", "name", "registrationPage", "preset", "protocol", "issuer", "apiBase", "apiHosts", "jwksUri", "discovery", "scopes",
    "reasons", "unconfirmed",
  ]

  /// Whether a description with this member has to say why it is there.
  package static func isDeviation(_ member: String) -> Bool { !facts.contains(member) && !member.hasSuffix("Endpoint") }

  /// The issuer as it may be shown.
  package var shownIssuer: String? { issuer.map(SecretName.withoutUserInfo) }

  /// The registration page with the variables' values in it.
  package var shownRegistrationPage: String? { registrationPage.map { Template($0).filled { variables[$0] } } }

  /// Every deviation, and every other member that somebody gave a reason for.
  package var deviations: [Deviation] {
    let described = source.members ?? []
    let parts = reasons.pairs.compactMap { reason in
      reason.name.contains(".") ? DottedPath(reason.name)?.value(in: source).map { JSON.Member(reason.name, $0) } : nil
    }
    let whole = described.filter { member in
      // Whose parts have reasons of their own is told by them.
      let isTold = reasons[member.name] != nil || !parts.contains { $0.name.hasPrefix(member.name + ".") }
      return (Self.isDeviation(member.name) && isTold) || reasons[member.name] != nil || unconfirmed.contains(member.name)
    }
    return (whole + parts).map { member in
      Deviation(
        member: member.name, value: member.value.shown(at: member.name), reason: reasons[member.name],
        isUnconfirmed: unconfirmed.contains(member.name))
    }
  }
}
