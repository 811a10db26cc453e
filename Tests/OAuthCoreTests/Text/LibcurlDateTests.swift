import OAuthCore
import TestSupport
import Testing

/// Compares our parser of HTTP dates with libcurl's `curl_getdate`.
struct LibcurlDateTests {
  private let libcurl: LibcurlParsers
  private let corpus: Corpus

  init() throws {
    libcurl = try LibcurlParsers()
    corpus = try Corpus("dates.txt")
  }

  @Test func theCorpusIsLarge() {
    #expect(corpus.entries.count >= 150)
    #expect(corpus.entries.count { $0.isAccepted } >= 60)
  }

  @Test func bothReadTheSameSecond() {
    for entry in corpus.entries {
      let ours = HTTPDate(entry.text)?.unixSeconds
      let wanted = entry.exception.map { Int64($0) } ?? ours
      if (ours != nil) != entry.isAccepted || (ours != nil && libcurl.seconds(of: entry.text) != wanted) {
        Issue.record(
          "\(entry.line): \(entry.text.debugDescription) is \(ours ?? -1) to us, and \(libcurl.seconds(of: entry.text) ?? -1) to libcurl")
      }
    }
  }

  /// Every hour of some days, in every form, for each year from 1971 on.
  @Test func bothReadTheSameSecondOfEveryYear() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    for year in 1971...2105 {
      for (index, month) in months.enumerated() {
        let (day, hour) = (10 + (year + index) % 19, (year * 7 + index) % 24)
        let clock = "\(hour < 10 ? "0" : "")\(hour):05:59"
        for text in ["Mon, \(day) \(month) \(year) \(clock) GMT", "Mon \(month) \(day) \(clock) \(year)"] {
          let ours = HTTPDate(text)?.unixSeconds
          if ours == nil || ours != libcurl.seconds(of: text) { Issue.record("\(text) is \(ours ?? -1) to us") }
        }
      }
    }
  }
}
