import Jansson

/// The sentences of the result page in one language, from `PageTexts.json`.
struct PageTexts {
  enum Sentence: String, CaseIterable {
    case succeededTitle, unfinishedTitle, deniedTitle, failedTitle, outdatedTitle
    /// These contain `{provider}` in place of the provider's name.
    case succeeded, unfinished, denied, failed
    case account, outdated, closeTab, tryAgain
  }

  private let texts: JSON
  /// The BCP 47 tag for `lang` and Content-Language.
  let language: String
  /// `ltr`, or `rtl` for a language that is written from right to left.
  let direction: String

  private init(_ texts: JSON) {
    self.texts = texts
    language = texts["language"]?.string ?? ""
    direction = texts["direction"]?.string ?? ""
  }

  subscript(_ sentence: Sentence) -> String { texts[sentence.rawValue]?.string ?? "" }
  subscript(_ reason: ResultPage.Reason) -> String { texts["reasons"]?[reason.rawValue]?.string ?? "" }

  /// English is first, because it is the fallback for all other languages.
  static let all: [PageTexts] = {
    guard let all = (try? JSON.parse(PackageResources.PageTexts_json))?.array, !all.isEmpty else {
      preconditionFailure("PageTexts.json is embedded in the program, but is not a JSON array")
    }
    return all.map(PageTexts.init)
  }()

  static func best(for acceptLanguage: String?) -> PageTexts {
    let best = acceptLanguage.flatMap { AcceptLanguage($0).best(of: all.map(\.language)) }
    return all.first { $0.language == best } ?? all[0]
  }
}
