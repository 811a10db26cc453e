import Crypto
import Foundation
import TestSupport
import Testing

@testable import Loopback
@testable import OAuthCore
@testable import Platform

@Suite struct ResultPageTests {
  static func html(_ outcome: ResultPage.Outcome, _ language: String? = nil) -> String {
    String(decoding: ResultPage(outcome).render(acceptLanguage: language).html, as: UTF8.self)
  }

  @Test func theStyleIsTheOneThatThePolicyAllows() throws {
    let html = Self.html(.denied(provider: "Example"))
    let start = try #require(html.range(of: "<style>")), end = try #require(html.range(of: "</style>"))
    let digest = Data(SHA256.hash(data: Data(html[start.upperBound..<end.lowerBound].utf8))).base64EncodedString()
    #expect(ResultPage.styleHash == "sha256-\(digest)")
    #expect(!html.contains("style=") && !html.contains("<script") && !html.contains("http"))
  }

  @Test func theAnswersFieldsKeepThePagePrivate() async throws {
    let log = RedirectLog()
    let listener = try log.listen()
    defer { listener.close() }
    let answer = try #require(await LoopbackBrowser(port: listener.port).get("/callback?state=ours", fields: "Accept-Language: ja\r\n"))
    #expect(
      answer.field("Content-Security-Policy")
        == "default-src 'none'; style-src '\(ResultPage.styleHash)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    #expect(answer.field("Referrer-Policy") == "no-referrer")
    #expect(answer.field("X-Content-Type-Options") == "nosniff")
    #expect(answer.field("X-Frame-Options") == "DENY")
    #expect(answer.field("Cross-Origin-Opener-Policy") == "same-origin")
    #expect(answer.field("Cross-Origin-Resource-Policy") == "same-origin")
    #expect(answer.field("Cache-Control") == "no-store")
    #expect(answer.field("Content-Language") == "ja")
    #expect(answer.field("Content-Type") == "text/html; charset=utf-8")
    #expect(answer.field("Content-Length") == String(answer.body.utf8.count))
    #expect(answer.body.contains("<html lang=\"ja\" dir=\"ltr\">"))
  }

  @Test func markupFromOutsideIsText() {
    let attack = "<script>alert(\"1\")</script>&'\u{0}\u{202E}"
    let escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;\u{FFFD}\u{FFFD}"
    let failed = Self.html(.failed(.rejected, said: attack, provider: attack))
    #expect(failed.components(separatedBy: escaped).count == 3 && !failed.contains("<script"))
    let signedIn = Self.html(.succeeded(account: attack, provider: attack))
    #expect(signedIn.components(separatedBy: escaped).count == 3)
    #expect(!signedIn.contains("<script"))
    #expect(!Self.html(.denied(provider: attack)).contains("<script") && !Self.html(.denied(provider: attack)).contains("\u{202E}"))
    #expect(HTMLText.escaped("e\u{301}") == "e\u{301}")
    // A combining mark must not hide the bracket before it in one Character.
    #expect(HTMLText.escaped("<\u{301}") == "&lt;\u{301}")
  }

  @Test func aLongReasonIsCut() {
    let html = Self.html(.failed(.rejected, said: String(repeating: "é", count: 10_000), provider: ""))
    #expect(html.contains(String(repeating: "é", count: 500) + "…") && !html.contains(String(repeating: "é", count: 501)))
  }

  @Test func thePageTellsTheOutcome() {
    let signedIn = Self.html(.succeeded(account: "ada", provider: "Example"))
    #expect(signedIn.contains("You are signed in to <b><bdi>Example</bdi></b>.") && signedIn.contains("<bdi>ada</bdi>"))
    #expect(signedIn.contains("You can close this tab."))
    #expect(!Self.html(.succeeded(account: "", provider: "{provider}")).contains("Account"))
    let denied = Self.html(.denied(provider: "Example"))
    #expect(denied.contains("Access to <b><bdi>Example</bdi></b> was denied") && !denied.contains("You are signed in"))
    let failed = Self.html(.failed(.timedOut, provider: "Example"))
    #expect(
      failed.contains("You are not signed in to <b><bdi>Example</bdi></b>.")
        && failed.contains("The time limit for this sign-in was reached."))
    #expect(ResultPage(.succeeded(account: "", provider: "")).status == 200)
    #expect(ResultPage(.denied(provider: "")).status == 400 && ResultPage(.failed(.unknown, provider: "")).status == 400)
  }

  @Test(
    arguments: [
      (nil, "en"), ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("FR-ca", "fr"), ("es-419, en;q=0.5", "es"),
      ("ar-EG", "ar"), ("zh-Hant-TW", "zh-Hant"), ("zh-TW", "zh-Hant"), ("zh-HK, en", "zh-Hant"), ("zh-Hans-HK", "zh"), ("zh-CN", "zh"),
      ("zh", "zh"),
      ("pt-BR,pt;q=0.9", "pt"), ("he-IL", "he"), ("iw", "he"), ("fa-IR", "fa"), ("hi", "hi"), ("ko-KR", "ko"),
      ("ja", "ja"), ("xx, yy", "en"), ("xx, ja;q=0.1", "ja"),
      ("es;q=1.000", "es"), (";;,,=;q", "en"), ("*", "en"), ("deutsch", "en"),
    ] as [(String?, String)])
  func theUsersLanguageIsSpoken(_ field: String?, language: String) {
    let (html, contentLanguage) = ResultPage(.denied(provider: "")).render(acceptLanguage: field)
    #expect(contentLanguage == language)
    let direction = ["ar", "he", "fa"].contains(language) ? "rtl" : "ltr"
    #expect(String(decoding: html, as: UTF8.self).contains("<html lang=\"\(language)\" dir=\"\(direction)\">"))
  }

  @Test func everyLanguageNamesTheProvider() {
    #expect(PageTexts.all.map(\.language) == ["en", "de", "fr", "es", "pt", "ar", "he", "fa", "zh", "zh-Hant", "ja", "ko", "hi"])
    let outcomes: [ResultPage.Outcome] = [
      .succeeded(account: "", provider: "Example"), .unfinished(provider: "Example"), .denied(provider: "Example"),
      .failed(.rejected, provider: "Example"),
    ]
    for texts in PageTexts.all {
      for outcome in outcomes {
        let html = Self.html(outcome, texts.language)
        #expect(html.contains("<html lang=\"\(texts.language)\""))
        #expect(html.contains("<bdi>Example</bdi>") && !html.contains("{" + "provider"))
      }
    }
  }

  /// No two languages share a sentence, so nothing is left untranslated.
  @Test func everythingIsTranslated() {
    var sentences: [String: String] = [:]
    for texts in PageTexts.all {
      let own = PageTexts.Sentence.allCases.map { texts[$0] } + ResultPage.Reason.allCases.map { texts[$0] }
      #expect(!own.contains(""), "\(texts.language)")
      #expect(Set(own).count == own.count, "\(texts.language)")
      for sentence in own { #expect(sentences.updateValue(texts.language, forKey: sentence) == nil, "\(sentence)") }
    }
    #expect(Self.html(.failed(.timedOut, provider: "X"), "ko").contains("이 로그인의 제한 시간이 지났습니다."))
  }

  /// The sign-in may be open, and its program may be able to use the address.
  @Test func anUnclaimedRedirectCanBePasted() {
    #expect(ResultPage(.unclaimed).status == 404)
    #expect(Self.html(.unclaimed).contains("copy the address of this page and paste it"))
    for texts in PageTexts.all { #expect(Self.html(.unclaimed, texts.language).contains("oauth-stdio"), "\(texts.language)") }
  }
}
