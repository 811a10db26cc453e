/// The sentences of the result page in one language.
struct PageTexts {
  /// The tag of BCP 47, for `lang` and Content-Language.
  let language: String
  let isRightToLeft: Bool
  let succeededTitle: String
  /// With `{provider}` where its name goes.
  let succeeded: String
  let account: String
  let unfinishedTitle: String
  /// With `{provider}` where its name goes.
  let unfinished: String
  let deniedTitle: String
  /// With `{provider}` where its name goes.
  let denied: String
  let failedTitle: String
  /// With `{provider}` where its name goes.
  let failed: String
  let outdatedTitle: String
  let outdated: String
  let closeTab: String
  let tryAgain: String
  let reasons: [ResultPage.Reason: String]

  /// English is first: it is for everybody whose language isn't here.
  static let all = [
    english, german, french, spanish, portuguese, arabic, hebrew, persian, chinese, traditionalChinese, japanese, korean, hindi,
  ]

  static func best(for acceptLanguage: String?) -> PageTexts {
    let best = acceptLanguage.flatMap { AcceptLanguage($0).best(of: all.map(\.language)) }
    return all.first { $0.language == best } ?? english
  }
}
