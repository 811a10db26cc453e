import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Checks for changes, which save reading a whole grant every second.
struct NewsTests {
  private let stage: StoreStage

  init() throws { stage = try StoreStage() }

  @Test func theFirstLookIsAlwaysNews() throws {
    for store: any GrantStore in [stage.store(), MemoryStore()] {
      let hasNews = store.news(of: "a")
      #expect(hasNews() && !hasNews() && !hasNews())
    }
  }

  @Test func whatIsWrittenIsNewsOnce() async throws {
    for store: any GrantStore in [stage.store(), MemoryStore()] {
      let hasNews = store.news(of: "a")
      _ = hasNews()
      for token in ["t", "u"] {
        try await store.write(stage.grant("a", token: token))
        #expect(hasNews() && !hasNews())
      }
    }
  }

  @Test func anotherProcessBringsNews() async throws {
    let hasNews = stage.store().news(of: "a")
    _ = hasNews()
    try await stage.store().write(stage.grant("b"))
    #expect(!hasNews())
    try await stage.store().write(stage.grant("a"))
    #expect(hasNews())
    try await stage.store().remove("a")
    #expect(hasNews() && !hasNews())
  }

  @Test func whatCannotBeLookedAtIsNewsEveryTime() throws {
    let file = stage.folder.write("file", [])
    let store = FileStore(folder: file, clock: .fixed(0), random: { _ in [] })
    let hasNews = store.news(of: "a")
    #expect(hasNews() && hasNews())
  }
}
