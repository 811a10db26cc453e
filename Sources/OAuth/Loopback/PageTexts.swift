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

extension PageTexts {
  /// The languages that the browser's user reads, best first (RFC 9110 section 12.5.4).
  struct AcceptLanguage {
    private var ranges: [(language: String, thousandths: Int)] = []

    /// Ignores malformed elements. A page in English is better than no page.
    init(_ field: String) {
      for element in field.split(separator: ",") {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map { part in
          part.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard let tag = parts.first, !tag.isEmpty, let thousandths = parts.count > 1 ? Self.weight(parts[1]) : 1000 else { continue }
        ranges.append((Self.language(of: tag), thousandths))
      }
    }

    /// Returns the tag under which pages are stored. A regional tag falls back to its language (RFC 4647 section 3.4). Chinese has one tag for each
    /// script.
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

    /// Returns the best of `available`. Its first element is the fallback for all other languages.
    func best(of available: [String]) -> String? {
      let order = ranges.indices.sorted { (-ranges[$0].thousandths, $0) < (-ranges[$1].thousandths, $1) }
      for range in order.map({ ranges[$0] }) where range.thousandths > 0 {
        let match = range.language == "*" ? available.first(where: isWanted) : available.first { $0 == range.language }
        if let match { return match }
      }
      return available.first
    }

    private func isWanted(_ language: String) -> Bool {
      let named = ranges.filter { $0.language == language }
      return named.isEmpty || named.contains { $0.thousandths > 0 }
    }

    /// Parses `q=0.8` as 800; returns nil for an invalid weight (RFC 9110 section 12.4.2).
    private static func weight(_ text: String) -> Int? {
      guard text.hasPrefix("q=") else { return nil }
      let number = text.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard number[0] == "0" || number[0] == "1" else { return nil }
      let decimals = number.count > 1 ? number[1] : ""
      guard decimals.count <= 3, decimals.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
      let padded = decimals + String(repeating: "0", count: 3 - decimals.count)
      guard let fraction = Int(padded) else { return nil }
      let thousandths = (number[0] == "1" ? 1000 : 0) + fraction
      return thousandths <= 1000 ? thousandths : nil
    }
  }
}
