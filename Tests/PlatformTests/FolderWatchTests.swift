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
    var reports: [Set<String>] = []
    let end = #expect(throws: PosixFile.Fault.self) {
      try watch.report { names in
        reports.append(names)
        if reports.count == 1 { remove("a") } else { rmdir(folder) }
      }
    }
    #expect(end?.code == ENOENT)
    #expect(reports == [["new", "a"], ["a"]])
  }

  @Test func moreThanTheSystemRemembersEndsTheWatch() throws {
    let watch = try FolderWatch(folder)
    // Two names that alternate, because the system joins equal reports.
    for name in ["a", "b"] { try file(name) }
    for _ in 0..<20_000 {
      rename("\(folder)/a", "\(folder)/c")
      rename("\(folder)/c", "\(folder)/a")
    }
    #expect(throws: PosixFile.Fault.self) { try watch.report { _ in } }
    remove("a", "b")
    rmdir(folder)
  }
}
