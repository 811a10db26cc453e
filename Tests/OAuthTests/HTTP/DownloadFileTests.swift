import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that gets its name at the end, if the file system supports that, and a file that is renamed.
struct DownloadFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8], overwrites: Bool = true, isNamed: Bool, _ meanwhile: () -> Void = {}) throws {
    let file = try DownloadFile(path: "\(folder.path)/saved", overwrites: overwrites, isNamed: isNamed)
    try file.write(bytes)
    meanwhile()
    try file.finish()
  }

  @Test(arguments: [true, false], [true, false])
  func itGetsItsNameWhenComplete(isNamed: Bool, isThere: Bool) throws {
    if isThere {
      _ = folder.write("saved", [9])
      chmod("\(folder.path)/saved", 0o640)
    }
    try write([1, 2], isNamed: isNamed) {
      #expect(folder.names.contains("saved") == isThere)
      #expect(folder.names.contains { $0.hasSuffix(".part") } == (isNamed || !Self.isNamelessHere(folder)))
    }
    #expect(folder.names == ["saved"] && folder.read("saved") == [1, 2])
    #expect(folder.mode("saved") == (isThere ? 0o640 : 0o600))
  }

  /// A file created at the path during the download is replaced. A symbolic link is left in place.
  @Test(arguments: [true, false])
  func whatComesMeanwhile(isNamed: Bool) throws {
    try write([1], isNamed: isNamed) { _ = folder.write("saved", [9, 9]) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [1])
    #expect(throws: HTTPFailure.self) {
      try write([2], isNamed: isNamed) {
        unlink("\(folder.path)/saved")
        symlink("\(folder.path)/elsewhere", "\(folder.path)/saved")
      }
    }
    #expect(folder.names == ["saved"])
  }

  @Test(arguments: [true, false])
  func aFileThatIsThereStaysUnlessItIsToBeReplaced(isNamed: Bool) throws {
    #expect(throws: HTTPFailure.self) { try write([1], overwrites: false, isNamed: isNamed) { _ = folder.write("saved", [9, 9]) } }
    #expect(throws: HTTPFailure.self) { try write([1], overwrites: false, isNamed: isNamed) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [9, 9])
  }

  /// Several downloads end at once, as if another program had created the file between the last check and the rename.
  @Test(arguments: [true, false])
  func onlyOneOfSeveralDownloadsGetsTheName(isNamed: Bool) async throws {
    for round in 0..<200 {
      let path = "\(folder.path)/\(round)"
      let saved = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<4 {
          group.addTask {
            do {
              let file = try DownloadFile(path: path, overwrites: false, isNamed: isNamed)
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

  @Test(.enabled(if: geteuid() == 0), arguments: [true, false])
  func aFileOfAnotherUserStays(isNamed: Bool) throws {
    let path = folder.write("saved", [9])
    #expect(chown(path, 65534, 65534) == 0)
    #expect(throws: HTTPFailure.self) { try write([1], isNamed: isNamed) }
    #expect(folder.names == ["saved"] && folder.read("saved") == [9])
  }

  @Test(arguments: [true, false])
  func anAbandonedFileLeavesNothing(isNamed: Bool) throws {
    do {
      let file = try DownloadFile(path: "\(folder.path)/saved", overwrites: true, isNamed: isNamed)
      try file.write([1])
    }
    #expect(folder.names == [])
  }

  @Test(arguments: [true, false])
  func aFolderThatHasGone(isNamed: Bool) throws {
    let path = "\(folder.path)/deeper"
    mkdir(path, 0o700)
    #expect(throws: HTTPFailure.self) {
      let file = try DownloadFile(path: "\(path)/saved", overwrites: true, isNamed: isNamed)
      try file.write([1])
      if let part = isNamed ? TemporaryFolder.names(in: path).first : nil { unlink("\(path)/\(part)") }
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

  static func isNamelessHere(_ folder: TemporaryFolder) -> Bool {
    guard let place = try? FilePlace("\(folder.path)/x"), let descriptor = UnlinkedFile.open(in: place.folder) else { return false }
    close(descriptor)
    return true
  }
}
