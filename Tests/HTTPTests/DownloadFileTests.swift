import TestSupport
import Testing

@testable import HTTP
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that gets its name at the end.
struct DownloadFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], overwrites: Bool = true, _ meanwhile: () -> Void = {}) throws {
    let file = try DownloadFile(path: "\(folder.path)/saved", overwrites: overwrites)
    try file.write(bytes)
    meanwhile()
    try file.finish()
  }

  @Test(arguments: [true, false])
  func itGetsItsNameWhenComplete(isThere: Bool) throws {
    if isThere {
      _ = folder.write("saved", [9])
      chmod("\(folder.path)/saved", 0o640)
    }
    try write([1, 2]) {
      #expect(folder.names.contains("saved") == isThere)
      #expect(folder.names.contains { $0.hasSuffix(".part") })
    }
    #expect(folder.names == ["saved"] && folder.read("saved") == [1, 2])
    #expect(folder.mode("saved") == (isThere ? 0o640 : 0o600))
  }

  /// A file created at the path during the download is replaced. A symbolic link is left in place.
  @Test func whatComesMeanwhile() throws {
    try write([1]) { _ = folder.write("saved", [9, 9]) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [1])
    #expect(throws: HTTPFailure.self) {
      try write([2]) {
        unlink("\(folder.path)/saved")
        symlink("\(folder.path)/elsewhere", "\(folder.path)/saved")
      }
    }
    #expect(folder.names == ["saved"])
  }

  @Test func aFileThatIsThereStaysUnlessItIsToBeReplaced() throws {
    #expect(throws: HTTPFailure.self) { try write([1], overwrites: false) { _ = folder.write("saved", [9, 9]) } }
    #expect(throws: HTTPFailure.self) { try write([1], overwrites: false) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [9, 9])
  }

  /// Several downloads end at once, as if another program had created the file between the last check and the rename.
  @Test func onlyOneOfSeveralDownloadsGetsTheName() async throws {
    for round in 0..<200 {
      let path = "\(folder.path)/\(round)"
      let saved = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<4 {
          group.addTask {
            do {
              let file = try DownloadFile(path: path, overwrites: false)
              try file.write([UInt8(number)])
              try file.finish()
              return true
            } catch {
              return false
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(saved.count { $0 } == 1, "round \(round)")
      #expect(folder.names == ["\(round)"] && folder.read("\(round)")?.count == 1)
      unlink(path)
    }
  }

  @Test(.enabled(if: geteuid() == 0))
  func aFileOfAnotherUserStays() throws {
    let path = folder.write("saved", [9])
    #expect(chown(path, 65534, 65534) == 0)
    #expect(throws: HTTPFailure.self) { try write([1]) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [9])
  }

  @Test func anAbandonedFileLeavesNothing() throws {
    do {
      let file = try DownloadFile(path: "\(folder.path)/saved", overwrites: true)
      try file.write([1])
    }
    #expect(folder.names == [])
  }

  @Test func aFolderThatHasGone() throws {
    let path = "\(folder.path)/deeper"
    mkdir(path, 0o700)
    #expect(throws: HTTPFailure.self) {
      let file = try DownloadFile(path: "\(path)/saved", overwrites: true)
      try file.write([1])
      if let part = TemporaryFolder.names(in: path).first { unlink("\(path)/\(part)") }
      rmdir(path)
      try file.finish()
    }
    #expect(folder.names == [])
  }

  @Test func aRelativePathIsOfTheCurrentFolder() throws {
    let name = "oauth-stdio-relative-\(UInt32.random(in: .min ... .max))"
    let file = try DownloadFile(path: name, overwrites: false)
    try file.write([1])
    try file.finish()
    #expect(access(name, F_OK) == 0 && unlink(name) == 0)
  }
}
