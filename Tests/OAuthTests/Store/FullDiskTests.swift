#if os(Linux)
  import Glibc
  import TestSupport
  import Testing

  @testable import OAuth
  @testable import OAuthCore
  @testable import Store

  /// A full disk, if the machine lets a test mount one.
  struct FullDiskTests {
    @Test func theOldGrantStaysAndNoHalfFileIsLeft() async throws {
      let folder = try TemporaryFolder()
      guard mount("tmpfs", folder.path, "tmpfs", 0, "size=64k") == 0 else {
        print("not tested: no file system can be mounted here")
        return
      }
      defer { umount2(folder.path, Int32(MNT_DETACH)) }
      let store = FileStore(folder: folder.path, clock: .fixed(1)) { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }
      func grant(_ token: String) -> Grant {
        Grant(account: "a", provider: .object([]), client: Client(id: "i"), accessToken: Secret(token), tokenType: "Bearer", issuedAt: 1)
      }
      try await store.write(grant("old"))
      let names = folder.names
      let failure = await failureOf { try await store.write(grant(String(repeating: "x", count: 100_000))) }
      #expect(failure?.kind == .storageFailure)
      #expect(failure?.message.contains("no space left") == true)
      #expect(folder.names == names)
      #expect(try store.read("a")?.accessToken == Secret("old"))
      try await store.write(grant("new"))
      #expect(try store.read("a")?.accessToken == Secret("new"))
    }
  }
#endif
