import Jansson
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Characters around a code or an address that the user pastes.
struct PastedTextTests {
  @Test(arguments: [
    ("4/c0de", "4/c0de"), (" 4/c0de\r\n", "4/c0de"), ("<4/c0de>", "4/c0de"), ("\"4/c0de\"", "4/c0de"), ("'a'", "a"), ("“a b”\n", "a b"),
    ("<\" a \">", "a"), ("\u{A0}a\u{2003}", "a"), ("a'", "a"), ("<a", "a"), ("<", ""), ("\"\"", ""), (" \n", ""), ("", ""),
    ("a.", "a"), ("(a).", "a"), ("a),", "a"), ("“a”.", "a"), ("a==", "a=="), ("[here](a)", "a"), ("[a](b?c&amp;d).", "b?c&d"), ("[a]", "a"),
  ])
  func isTrimmed(pasted: String, text: String) { #expect(PastedText(pasted).text == text) }

  @Test(arguments: ["\n  <4/c0de>\r\n", "\"4/c0de\"", "4/c0de"])
  func aTypedCodeIsWhatThePageShowed(typed: String) async throws {
    let http = PreparedResponses()
    http.add(body: #"{"access_token":"at","token_type":"Bearer"}"#)
    let stage = Stage(http)
    let (prompt, _) = try await stage.begin()
    #expect(try await stage.accounts.signIns.take(typed: Secret(typed), signIn: prompt.id) == true)
    #expect(http.requests.first?.field("code") == "4/c0de")
  }

  @Test(arguments: ["<%@>", " \"%@\"\n", "'%@'", "[sign in](%@)", "(%@).", "%@."])
  func aPastedRedirectIsWhatTheBrowserShowed(around: String) async throws {
    let http = PreparedResponses()
    http.add(body: #"{"access_token":"at","token_type":"Bearer"}"#)
    let stage = Stage(http)
    let (_, state) = try await stage.begin()
    let url = "app.example:/callback?state=\(state)&code=4%2Fc0de"
    let pasted = around.split(separator: "%@", omittingEmptySubsequences: false).joined(separator: url)
    #expect(try await stage.accounts.handleRedirect(around == "%@." ? pasted.replacing("&", with: "&amp;") : pasted))
    #expect(http.requests.first?.field("code") == "4/c0de")
  }
}
