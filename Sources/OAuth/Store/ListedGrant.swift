import OAuthCore

/// One account in a listing: its grant's summary, or why the grant cannot be read.
package struct ListedGrant: Sendable {
  package let account: String
  package let summary: AccountSummary?
  /// At most one. An array takes one word in each of thousands of elements, and a failure takes dozens.
  private let problems: [OAuthFailure]

  package var problem: OAuthFailure? { problems.first }

  init(_ summary: AccountSummary) { (account, self.summary, problems) = (summary.account, summary, []) }

  init(account: String, problem: OAuthFailure) { (self.account, summary, problems) = (account, nil, [problem.of(account)]) }
}
