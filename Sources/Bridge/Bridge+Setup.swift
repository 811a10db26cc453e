import OAuth
import OAuthCore
import Plans

extension Bridge {
  /// What a bridge is made of.
  package struct Setup: Sendable {
    package let url: URLParts
    package let account: String
    package let accounts: Accounts
    package let limits: Limits
    package let log: any LogSink
    /// The user's own headers.
    package var headers: [HTTPHeader] = []
    /// Patterns for the names of the tools that the host may use; nil allows all.
    package var tools: [String]?
    /// Patterns for the names of the tools that the host may not use.
    package var ignoredTools: [String] = []
    /// Seconds for which a list waits while the user signs in.
    package var listWait = 25
    /// Writes a message to the host.
    package let write: @Sendable ([UInt8]) -> Void
    /// Whether the host reads what it gets.
    package var hasRoom: @Sendable () -> Bool = { true }

    package init(
      url: URLParts, account: String, accounts: Accounts, limits: Limits, log: any LogSink, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
      (self.url, self.account, self.accounts, self.limits, self.log, self.write) = (url, account, accounts, limits, log, write)
    }
  }
}
