import Testing

@testable import OAuthCore

struct RedactionTests {
  /// Only the start of a long body is searched. Hidden secrets before the cut make room, so the piece of a secret at the cut would come into view.
  @Test func aSecretThatIsReadInPartIsNotShown() {
    let secret = String(repeating: "s3cr3t-", count: 100)
    let body = Array(("<p>" + String(repeating: " ", count: 2000) + String(repeating: secret, count: 100)).utf8)
    let shown = Redaction([Secret(secret)]).cleanBody(body)
    #expect(shown.hasPrefix("<p>") && !shown.contains("s3"))
  }

  @Test func theEndOfAShortBodyIsShown() {
    #expect(Redaction([Secret("s3cr3t")]).cleanBody(Array("a s3cr3t b".utf8)) == "a … b")
  }
}
