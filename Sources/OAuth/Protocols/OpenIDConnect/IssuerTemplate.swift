/// A provider's issuer identifier: an exact text, or one with `{tenantid}` in it where one description serves many tenants that are issuers each.
package struct IssuerTemplate: Sendable, Equatable {
  /// Microsoft's own name for the place, as it stands in its discovery documents.
  package static let tenantName = "{tenantid}"

  private let text: String

  package init(_ text: String) { self.text = text }

  /// Whether `issuer` is the one that is meant, byte for byte (OpenID Connect Core, 3.1.3.7, 2); `tenant` is the token's claim `tid`.
  ///
  /// A tenant is an identifier without punctuation but `-`, so that none can carry the comparison to another path or host.
  package func names(_ issuer: String, tenant: String?) -> Bool {
    guard let parts else { return issuer.utf8.elementsEqual(text.utf8) }
    guard let tenant, Self.isTenant(tenant.utf8) else { return false }
    return issuer.utf8.elementsEqual((parts.before + tenant + parts.after).utf8)
  }

  /// Whether some tenant's issuer is named so: all that can be said where no token tells the tenant, as in a redirect's `iss` (RFC 9207, 2.4).
  package func mayName(_ issuer: String) -> Bool {
    guard let parts else { return names(issuer, tenant: nil) }
    let tenant = issuer.dropFirst(parts.before.count).dropLast(parts.after.count)
    return names(issuer, tenant: String(tenant))
  }

  /// Whether a claim is to fill a part of it.
  var isForTenants: Bool { text.contains(Self.tenantName) }

  /// Whether the tenant's place is in the path, so that no claim has a say in the host or the query.
  var hasTenantInPath: Bool { parts != nil }

  /// nil where there is no place for a tenant, or none that a claim may fill.
  private var parts: (before: String, after: String)? {
    let parts = text.split(separator: Self.tenantName, maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let url = try? URLParts(parts[0]), !url.host.isEmpty, !url.path.isEmpty, url.query == nil, url.fragment == nil
    else { return nil }
    return (parts[0], parts[1])
  }

  private static func isTenant(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.count <= 64 && bytes.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "-") }
  }
}
