import Jansson

/// A provider's issuer identifier: an exact text, or a template with `{tenantid}` if each tenant is a separate issuer.
package struct IssuerTemplate: Sendable, Equatable {
  /// The placeholder in Microsoft's discovery documents.
  package static let tenantName = "{tenantid}"

  package let text: String

  package init(_ text: String) { self.text = text }

  /// Returns whether `issuer` matches byte for byte (OpenID Connect Core, 3.1.3.7, 2). `tenant` is the token's claim `tid`.
  ///
  /// A tenant contains only letters, digits and `-`, so it cannot change the path or host that is compared.
  package func names(_ issuer: String, tenant: String?) -> Bool {
    guard let parts else { return issuer.utf8.elementsEqual(text.utf8) }
    guard let tenant, Self.isTenant(tenant.utf8) else { return false }
    return issuer.utf8.elementsEqual((parts.before + tenant + parts.after).utf8)
  }

  /// Returns whether `issuer` matches for any tenant, for uses without a token, such as a redirect's `iss` (RFC 9207, 2.4).
  package func mayName(_ issuer: String) -> Bool {
    guard let parts else { return names(issuer, tenant: nil) }
    let tenant = issuer.dropFirst(parts.before.count).dropLast(parts.after.count)
    return names(issuer, tenant: String(tenant))
  }

  /// Whether the text has a placeholder for the tenant.
  package var isForTenants: Bool { text.contains(Self.tenantName) }

  /// Whether the placeholder is in the path, so that no claim can change the host or the query.
  var hasTenantInPath: Bool { parts != nil }

  /// The text before and after the placeholder; nil without a placeholder in the path.
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
