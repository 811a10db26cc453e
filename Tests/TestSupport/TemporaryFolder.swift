#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A folder for one test. It is deleted with the object, including its files.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/oauth-stdio-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { room in room.baseAddress.flatMap { mkdtemp($0) } != nil }
    guard made else { throw RawServerFailure(errno: errno) }
    path = template.withUnsafeBufferPointer { room in room.baseAddress.map { String(cString: $0) } ?? "" }
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The sorted names of all files in it, including hidden ones.
  package var names: [String] { Self.names(in: path) }

  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  package func write(_ name: String, _ bytes: [UInt8]) -> String {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { systemWrite(file, $0) }
      guard count > 0 else { break }
      sent += count
    }
    return "\(path)/\(name)"
  }

  /// Returns the path of a script for sh with this text.
  package func script(_ name: String, _ text: String) -> String {
    let path = write(name, Array("#!/bin/sh\n\(text)\n".utf8))
    chmod(path, 0o700)
    return path
  }

  /// Returns the bytes of a file; nil if it does not exist.
  package func read(_ name: String) -> [UInt8]? {
    let file = open("\(path)/\(name)", O_RDONLY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var facts = stat()
    fstat(file, &facts)
    var bytes = [UInt8](repeating: 0, count: Int(facts.st_size))
    var got = 0
    while got < bytes.count {
      let count = bytes[got...].withUnsafeMutableBytes { systemRead(file, $0) }
      guard count > 0 else { return nil }
      got += count
    }
    return bytes
  }

  /// Returns the permissions of a file, such as 0o600.
  package func mode(_ name: String) -> UInt32 {
    var facts = stat()
    return stat("\(path)/\(name)", &facts) == 0 ? UInt32(facts.st_mode) & 0o777 : 0
  }
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int { write(file, bytes.baseAddress, bytes.count) }
private func systemRead(_ file: Int32, _ room: UnsafeMutableRawBufferPointer) -> Int { read(file, room.baseAddress, room.count) }
