import OAuthCore
import Store

extension ChangeLedger {
  /// An account's grant in the store, as far as a change of it is reported.
  enum StoredState: Equatable {
    /// The account has no grant.
    case noGrant
    /// The account has a grant that cannot be read.
    case unread
    case grant(login: String?, issued: Instant, isRejected: Bool)

    init(_ grant: Grant?) { self = grant.map { .grant(login: $0.login, issued: $0.issued, isRejected: $0.isRejected) } ?? .noGrant }

    /// Returns what happened between two states; nil if no user needs to know. Several changes between them count as the last one.
    func change(to new: StoredState) -> AccountEvent.Change? {
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
