import Jansson

extension Provider {
  /// A member in which a provider deviates from the specification, with the reason.
  package struct Deviation: Sendable {
    /// The member's name, or a path such as `variables.tenant` if the reason is about a part of it.
    package var member: String
    package var value: JSON
    package var reason: String?
    package var isUnconfirmed: Bool

    package init(member: String, value: JSON, reason: String?, isUnconfirmed: Bool) {
      (self.member, self.value, self.reason, self.isUnconfirmed) = (member, value, reason, isUnconfirmed)
    }
  }

  /// Members that are facts of every provider, not deviations.
  private static let facts: Set<String> = [
    "$schema", "name", "registrationPage", "preset", "protocol", "issuer", "apiBase", "apiHosts", "gitHosts", "registryHosts", "jwksUri",
    "discovery",
    "scopes",
    "reasons", "unconfirmed",
  ]

  /// Returns whether a description must give a reason for this member.
  package static func isDeviation(_ member: String) -> Bool { !facts.contains(member) && !member.hasSuffix("Endpoint") }

  /// The issuer, safe to show.
  package var shownIssuer: String? { issuer.map(SecretName.withoutUserInfo) }

  /// The registration page with its variables filled in.
  package var shownRegistrationPage: String? { registrationPage.map { Template($0).filled { variables[$0] } } }

  /// Every deviation, and every other member with a reason.
  package var deviations: [Deviation] {
    let described = source.members ?? []
    let parts = reasons.pairs.compactMap { reason in
      reason.name.contains(".") ? DottedPath(reason.name)?.value(in: source).map { JSON.Member(reason.name, $0) } : nil
    }
    let whole = described.filter { member in
      // A member whose parts have reasons is listed by its parts.
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
