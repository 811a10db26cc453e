import TestSupport
import Testing

@testable import OAuthCore

/// Compares our URL parser with libcurl's. Ours decides which host may receive a token, and libcurl connects.
struct LibcurlURLTests {
  private let libcurl: LibcurlParsers
  private let corpus: Corpus

  init() throws {
    libcurl = try LibcurlParsers()
    corpus = try Corpus("urls.txt")
  }

  @Test func theCorpusIsLarge() {
    #expect(corpus.entries.count >= 400)
    #expect(corpus.entries.count { $0.isAccepted } >= 100)
  }

  @Test func ourParserAcceptsWhatTheCorpusSays() {
    for entry in corpus.entries where ((try? URLParts(entry.text)) != nil) != entry.isAccepted {
      Issue.record("\(entry.line): \(entry.text.debugDescription.prefix(200)) should be \(entry.isAccepted ? "accepted" : "rejected")")
    }
  }

  /// The URL goes to libcurl as it was written, or as our parser writes it.
  @Test func bothSeeTheSameTarget() throws {
    for entry in corpus.entries {
      guard let url = Self.webURL(entry.text) else { continue }
      for text in [entry.text, url.description] {
        let found = try libcurl.target(of: text)
        let told = found.map { $0.isSame(as: url) ? nil : $0.description } ?? "nothing"
        if let told, told != entry.exception {
          Issue.record("\(entry.line): \(text.debugDescription.prefix(200)) is \(url.origin.prefix(200)) to us, \(told) to libcurl")
        }
      }
    }
  }

  /// Where both accept a URL and differ, no token for the host that libcurl reads goes to the host that our parser reads.
  @Test func anExceptionLeadsNoTokenAstray() throws {
    var count = 0
    for entry in corpus.entries where entry.exception != nil {
      let url = try #require(Self.webURL(entry.text), "\(entry.line)")
      guard let target = try libcurl.target(of: entry.text), !target.isSame(as: url) else { continue }
      count += 1
      #expect(!url.isLoopback && NetworkScope(url) == .thisMachine, "\(entry.line)")
      #expect(!AllowedHosts(patterns: [target.host]).allows(url), "\(entry.line)")
    }
    #expect(count > 10)
  }

  /// The last check before libcurl reads the host on its own. It rejects user information and other schemes than http and https.
  @Test func theLastCheckSeesTheSameHost() throws {
    for entry in corpus.entries {
      guard let url = try? URLParts(entry.text) else { continue }
      let wanted = Self.webURL(entry.text).flatMap { $0.userInfo == nil ? $0.host : nil }
      for text in [entry.text, url.description] {
        let host = try? HTTPRequest(method: "GET", url: text).checkedHost().lowercased()
        if host != wanted {
          Issue.record("\(entry.line): \(text.debugDescription.prefix(200)) has the host \(url.host), not \(host ?? "none")")
        }
      }
    }
  }

  @Test func aDifferenceIsSeen() throws {
    let url = try URLParts("https://a.example:8443/")
    #expect(try #require(try libcurl.target(of: "HTTPS://A.example:08443")).isSame(as: url))
    for other in ["http://a.example:8443", "https://b.example:8443", "https://a.example", "https://a.example.:8443"] {
      #expect(!(try #require(try libcurl.target(of: other)).isSame(as: url)))
    }
    #expect(!(try #require(try libcurl.target(of: "https://[::2]/")).isSame(as: try URLParts("https://[::1]/"))))
    #expect(try libcurl.target(of: "https://a.example:65536/") == nil)
  }

  private static func webURL(_ text: String) -> URLParts? {
    (try? URLParts(text)).flatMap { ["http", "https"].contains($0.scheme) ? $0 : nil }
  }
}
