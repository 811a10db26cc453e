import Jansson

/// The sentences of the result page in one language, from `PageTexts.json`.
struct PageTexts {
  enum Sentence: String, CaseIterable {
    case succeededTitle, unfinishedTitle, deniedTitle, failedTitle, unclaimedTitle
    /// These contain `{provider}` in place of the provider's name.
    case succeeded, unfinished, denied, failed
    case account, unclaimed, pasteAddress, closeTab, tryAgain
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
}

extension PageTexts {
  /// Returns the first language of an Accept-Language value that has a page (RFC 9110 section 12.5.4). Browsers name the preferred one first.
  static func best(for acceptLanguage: String?) -> PageTexts {
    for element in (acceptLanguage ?? "").split(separator: ",") {
      let tag = element.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
      if let texts = all.first(where: { $0.language == language(of: tag) }) { return texts }
    }
    return all[0]
  }

  /// Returns the tag of a page's texts. A regional tag falls back to its language (RFC 4647, 3.4), and Chinese has a tag for each script.
  private static func language(of tag: String) -> String {
    let parts = tag.split(separator: "-").map(String.init)
    switch parts.first {
    // Browsers also send `iw`, the code for Hebrew until 1989.
    case "iw": return "he"
    case "zh" where !parts.contains("hans") && parts.contains(where: { ["hant", "tw", "hk", "mo"].contains($0) }): return "zh-Hant"
    case let language?: return language
    case nil: return tag
    }
  }
}
