import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Checks for changes, which save reading a whole grant every second.
struct GrantVersionsTests {
  private let stage: StoreStage

  init() throws { stage = try StoreStage() }

  @Test func anotherProcessBringsNews() async throws {
    let hasChanged = stage.store().changes(of: "a")
    _ = hasChanged()
    try await stage.store().write(stage.grant("b"))
    #expect(!hasChanged())
    try await stage.store().write(stage.grant("a"))
    #expect(hasChanged())
    try await stage.store().remove("a")
    #expect(hasChanged() && !hasChanged())
  }

  @Test func whatCannotBeLookedAtIsNewsEveryTime() throws {
    let file = stage.folder.write("file", [])
    let store = FileStore(folder: file, clock: .fixed(0), random: { _ in [] })
    let hasChanged = store.changes(of: "a")
    #expect(hasChanged() && hasChanged())
  }
}
