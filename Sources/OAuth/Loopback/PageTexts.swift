/// The sentences of the result page in one language.
struct PageTexts {
  /// The BCP 47 tag for `lang` and Content-Language.
  let language: String
  let isRightToLeft: Bool
  let succeededTitle: String
  /// Contains `{provider}` in place of the provider's name.
  let succeeded: String
  package let account: String
  let unfinishedTitle: String
  /// Contains `{provider}` in place of the provider's name.
  let unfinished: String
  let deniedTitle: String
  /// Contains `{provider}` in place of the provider's name.
  let denied: String
  let failedTitle: String
  /// Contains `{provider}` in place of the provider's name.
  let failed: String
  let outdatedTitle: String
  let outdated: String
  let closeTab: String
  let tryAgain: String
  let reasons: [ResultPage.Reason: String]

  /// English is first, because it is the fallback for all other languages.
  static let all = [
    english, german, french, spanish, portuguese, arabic, hebrew, persian, chinese, traditionalChinese, japanese, korean, hindi,
  ]

  static func best(for acceptLanguage: String?) -> PageTexts {
    let best = acceptLanguage.flatMap { AcceptLanguage($0).best(of: all.map(\.language)) }
    return all.first { $0.language == best } ?? english
  }
}
