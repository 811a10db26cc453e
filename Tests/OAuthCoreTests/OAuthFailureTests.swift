import Testing

@testable import OAuthCore

struct OAuthFailureTests {
  /// Clients branch on the codes. Two kinds with one code, or a gap, are a slip in the table.
  @Test func eachKindHasItsOwnCode() {
    let kinds = OAuthFailure.Kind.allCases
    #expect(kinds.map(\.code) == Array(1000..<(1000 + kinds.count)))
    #expect(OAuthFailure.Kind.signInRequired.code == 1000 && OAuthFailure.Kind.insufficientUserAuthentication.code == 1014)
    #expect(OAuthFailure.Kind.signInInProgress.code == 1015)
  }
}
