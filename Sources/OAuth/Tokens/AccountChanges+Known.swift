import OAuthCore
import Store

extension AccountChanges {
  /// What is known of an account's grant.
  enum Known: Equatable {
    /// The account has no grant.
    case noGrant
    /// The account has a grant that cannot be read.
    case unread
    case grant(login: String?, issued: Instant, isRefused: Bool)

    init(_ summary: AccountSummary) { self = .grant(login: summary.login, issued: summary.issued, isRefused: summary.isRefused) }

    /// Returns what happened between two states; nil if no user needs to know. Several changes between them count as the last one.
    func change(to new: Known) -> AccountEvent.Change? {
      switch (self, new) {
      case (_, .unread), (.noGrant, .noGrant): nil
      case (_, .noGrant): .removed
      case (.noGrant, .grant(_, _, let isRefused)), (.unread, .grant(_, _, let isRefused)): isRefused ? .rejected : .signedIn
      case (.grant(let oldLogin, let oldIssue, let wasRefused), .grant(let login, let issue, let isRefused)):
        if isRefused {
          !wasRefused || login != oldLogin ? .rejected : nil
        } else {
          login != oldLogin ? .signedIn : issue != oldIssue ? .refreshed : nil
        }
      }
    }
  }

  /// What this process did to an account's grant.
  enum Deed {
    case stored(Grant)
    case removed(AccountEvent.Change)
    /// The store says what.
    case other
    case failed
  }
}
