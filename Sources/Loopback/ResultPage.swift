import OAuthCore

/// The page on which the browser shows the outcome of a sign-in. It loads, runs and stores nothing.
package struct ResultPage: Sendable, Equatable {
  package enum Outcome: Sendable, Equatable {
    /// The code was exchanged and the grant is stored. An empty account is not shown.
    case succeeded(account: String, provider: String)
    /// The grant is stored, and the user is asked once more for missing scopes.
    case unfinished(provider: String)
    /// The provider sent `access_denied` (RFC 6749 section 4.1.2.1).
    case denied(provider: String)
    /// `said` is the provider's own text without secrets, in its own language. Markup in it is escaped.
    case failed(Reason, said: String? = nil, provider: String)
    /// No sign-in of this process waits for this redirect: it has another state, or the user had left a tab open.
    case unclaimed
  }

  /// Why a sign-in failed, in the detail that the user sees. The client gets more.
  package enum Reason: String, Sendable, CaseIterable {
    case cancelled, replaced, timedOut, ended, anotherUser, rejected = "refused", unreachable, untrusted, notStored, misconfigured, unknown
  }

  package let outcome: Outcome

  package init(_ outcome: Outcome) { self.outcome = outcome }

  /// The HTTP status. 200 means that the user is signed in, for scripts as well.
  package var status: Int {
    switch outcome {
    case .succeeded, .unfinished: 200
    case .denied, .failed: 400
    case .unclaimed: 404
    }
  }

  /// Characters shown of a foreign text, so that a provider's stack trace doesn't hide what to do next.
  private static let shownCharacters = 500

  /// Returns the whole document in UTF-8, in the best language for an Accept-Language value.
  package func render(acceptLanguage: String?) -> (html: [UInt8], contentLanguage: String) {
    let texts = PageTexts.best(for: acceptLanguage)
    let (title, mark, lines): (String, String, [String])
    switch outcome {
    case .succeeded(let account, let provider):
      (title, mark) = (texts[.succeededTitle], "ok")
      let whose = account.isEmpty ? [] : ["\(texts[.account]) <bdi>\(Self.shown(account))</bdi>"]
      lines = [Self.naming(provider, texts[.succeeded])] + whose + [texts[.closeTab]]
    case .unfinished(let provider):
      (title, mark) = (texts[.unfinishedTitle], "ok")
      lines = [Self.naming(provider, texts[.unfinished]), texts[.closeTab]]
    case .denied(let provider):
      (title, mark) = (texts[.deniedTitle], "no")
      lines = [Self.naming(provider, texts[.denied]), texts[.tryAgain]]
    case .failed(let reason, let said, let provider):
      (title, mark) = (texts[.failedTitle], "no")
      let why = Self.naming(provider, texts[.failed]) + "<br><b>\(texts[reason])</b>"
      lines = [why] + (said.map { ["<bdi>\(Self.shown($0))</bdi>"] } ?? []) + [texts[.tryAgain]]
    case .unclaimed:
      (title, mark) = (texts[.unclaimedTitle], "no")
      lines = [texts[.unclaimed], texts[.pasteAddress], texts[.tryAgain]]
    }
    let parts = [
      "language": texts.language, "direction": texts.direction, "title": title, "mark": mark,
      "lines": (lines + ["<small>oauth-stdio</small>"]).map { "<p>\($0)</p>" }.joined(separator: "\n"),
    ]
    return (Array(Self.template.filled { parts[$0] }.utf8), texts.language)
  }

  private static func naming(_ provider: String, _ sentence: String) -> String {
    sentence.split(separator: "{provider}", omittingEmptySubsequences: false).joined(separator: "<b><bdi>\(shown(provider))</bdi></b>")
  }

  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return HTMLText.escaped(String(scalars.prefix(shownCharacters))) + (scalars.count > shownCharacters ? "…" : "")
  }

  /// `ResultPage.html`. System fonts and colours need no loading, and support dark mode, zoom and high contrast.
  /// Korean needs a rule: browsers break its lines inside words, but readers expect breaks between words.
  private static let template = Template(String(decoding: PackageResources.ResultPage_html, as: UTF8.self))

  /// The only style that the Content-Security-Policy allows. A test computes the hash from the page.
  static let styleHash = "sha256-SjmmF70s3OQKq+wGqehUrpYxL2Pjjomg44vDl+qGRic="
}
