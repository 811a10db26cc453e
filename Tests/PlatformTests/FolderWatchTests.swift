import Testing

@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a watch of a folder reports. Each wait ends, because the change comes before it.
struct FolderWatchTests {
  private let folder: String

  init() throws {
    var template = Array("/tmp/watch-XXXXXX".utf8CString)
    folder = try #require(template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } })
  }

  private func file(_ name: String) throws {
    try PosixFile.writeNew("\(folder)/\(name)", [])
  }

  private func remove(_ names: String...) {
    for name in names { #expect(Glibc.remove("\(folder)/\(name)") == 0) }
  }

  @Test func renamedAndDeletedFilesAreReported() throws {
    let watch = try FolderWatch(folder)
    try file("new")
    #expect(rename("\(folder)/new", "\(folder)/a") == 0)
    #expect(try watch.next().names == ["new", "a"])
    remove("a")
    #expect(try watch.next().names == ["a"])
    rmdir(folder)
  }

  @Test func aMissingFolderIsAwaited() throws {
    let path = folder + "/x/y"
    let watch = try FolderWatch(path + "/")
    mkdir(folder + "/x", 0o700)
    mkdir(folder + "/other", 0o700)
    mkdir(path, 0o700)
    #expect(try watch.next().mayHaveMore)
    try file("x/y/a")
    #expect(rename(path + "/a", path + "/b") == 0)
    #expect(try watch.next().names == ["a", "b"])
    remove("x/y/b", "x/y", "x", "other")
    #expect(try watch.next().mayHaveMore)
    mkdir(folder + "/x", 0o700)
    mkdir(path, 0o700)
    #expect(try watch.next().mayHaveMore)
    remove("x/y", "x")
    rmdir(folder)
  }

  @Test func moreThanTheSystemRemembersMayBeAnything() throws {
    let watch = try FolderWatch(folder)
    // Two names that alternate, because the system joins equal reports.
    for name in ["a", "b"] { try file(name) }
    for _ in 0..<20_000 {
      rename("\(folder)/a", "\(folder)/c")
      rename("\(folder)/c", "\(folder)/a")
    }
    var hasMore = false
    while !hasMore { hasMore = try watch.next().mayHaveMore }
    remove("a", "b")
    rmdir(folder)
  }
}
