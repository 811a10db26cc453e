import OAuthCore
import Store

extension ChangeLedger {
  /// What is known of an account's grant.
  enum Known: Equatable {
    /// The account has no grant.
    case noGrant
    /// The account has a grant that cannot be read.
    case unread
    case grant(login: String?, issued: Instant, isRejected: Bool)

    init(_ grant: Grant?) { self = grant.map { Known(AccountSummary($0)) } ?? .noGrant }

    init(_ summary: AccountSummary) { self = .grant(login: summary.login, issued: summary.issued, isRejected: summary.isRejected) }

    /// Returns what happened between two states; nil if no user needs to know. Several changes between them count as the last one.
    func change(to new: Known) -> AccountEvent.Change? {
      switch (self, new) {
      case (_, .unread), (.noGrant, .noGrant): nil
      case (_, .noGrant): .removed
      case (.noGrant, .grant(_, _, let isRejected)), (.unread, .grant(_, _, let isRejected)): isRejected ? .rejected : .signedIn
      case (.grant(let oldLogin, let oldIssue, let wasRejected), .grant(let login, let issue, let isRejected)):
        if isRejected {
          !wasRejected || login != oldLogin ? .rejected : nil
        } else {
          login != oldLogin ? .signedIn : issue != oldIssue ? .refreshed : nil
        }
      }
    }
  }
}
