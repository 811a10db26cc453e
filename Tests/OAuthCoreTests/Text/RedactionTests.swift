import Testing

@testable import OAuthCore

struct RedactionTests {
  private static let secret = "s3cr3t/t0ken+x~"

  /// As it stands, form-encoded with digits of either case, in a URL's path, and with JSON's `\\/`.
  @Test(arguments: [secret, "s3cr3t%2Ft0ken%2Bx%7E", "s3cr3t%2ft0ken%2bx%7e", "s3cr3t%2Ft0ken%2Bx~", #"s3cr3t\/t0ken+x~"#])
  func eachFormOfASecretIsHidden(form: String) {
    let hidden = Redaction([Secret(Self.secret)])
    #expect(hidden.clean("you sent \(form)\u{301} to us") == "you sent …\u{301} to us")
    #expect(hidden.hide(in: Array(#"{"t":"\#(form)"}"#.utf8)) == Array(#"{"t":"…"}"#.utf8))
  }

  @Test func theBasicCredentialIsHidden() {
    let client = Client(id: "me", secret: Secret("a b"))
    #expect(Redaction([], client: client, provider: nil).clean("Basic \(Base64.encode(Array("me:a+b".utf8)))") == "Basic …")
  }

  /// A shorter secret inside a longer one leaves no piece of it.
  @Test func theLongerSecretIsHiddenFirst() {
    #expect(Redaction([Secret("s3cr3t"), Secret("s3cr3t-long"), Secret("abc")]).clean("abc s3cr3t-long s3cr3t") == "abc … …")
  }

  /// Only the start of a long body is shown. Hidden secrets before the cut make room, so the piece of a secret at the cut would come into view.
  @Test func aSecretThatIsReadInPartIsNotShown() {
    let secret = String(repeating: "s3cr3t-", count: 100)
    let body = Array(("<p>" + String(repeating: " ", count: 2000) + String(repeating: secret, count: 100)).utf8)
    let shown = Redaction([Secret(secret)]).cleanBody(body)
    #expect(shown.hasPrefix("<p>") && !shown.contains("s3"))
  }

  @Test func theEndOfAShortBodyIsShown() {
    #expect(Redaction([Secret("s3cr3t")]).cleanBody(Array("a s3cr3t b".utf8)) == "a … b")
  }

  @Test func almostASecretEverywhere() {
    let token = String(repeating: "a", count: 4000) + "b"
    let shown = Redaction([Secret(token)]).hide(
      in: Array((String(repeating: "a", count: 50_000) + "b" + String(repeating: "a", count: 4001)).utf8))
    #expect(shown == Array((String(repeating: "a", count: 46_000) + "…" + String(repeating: "a", count: 4001)).utf8))
  }
}
