#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The few file operations that keeping a grant safe needs, each with its reason when it fails.
enum PosixFile {
  struct Fault: Error {
    var path: String
    var code: Int32
    /// What is wrong where no `errno` says it.
    var problem: String?

    /// `errno`'s text in lower case, as messages have it.
    var reason: String { problem ?? (code == Self.isNoFile ? "not a regular file" : Descriptors.reason(code)) }

    var isTooLarge: Bool { code == EFBIG }

    /// No `errno` is negative, and none says that something is a device or a pipe.
    static let isNoFile: Int32 = -1
  }

  /// The whole file, or nil where there is none; one over `limit` bytes is `EFBIG`.
  ///
  /// Opened without waiting, since a pipe of that name would have us wait for its writer for ever.
  /// `check` sees the open file before its content is read.
  static func read(
    _ path: String, limit: Int = .max, check: (_ descriptor: Int32, _ status: stat, _ path: String) throws(Fault) -> Void = { _, _, _ in }
  ) throws(Fault) -> [UInt8]? {
    let descriptor = retry { openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0) }
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw Fault(path: path, code: errno) }
    defer { close(descriptor) }
    // Devices and pipes have no end to read to.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Fault(path: path, code: errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw Fault(path: path, code: kind == S_IFDIR ? EISDIR : Fault.isNoFile) }
    try check(descriptor, status, path)
    guard status.st_size <= limit else { throw Fault(path: path, code: EFBIG) }
    // One byte more than the file has: the next read finds its end without a larger buffer.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var done = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { readFile(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault(path: path, code: errno) }
      if count == 0 { return Array(bytes[..<done]) }
      done += count
      guard done <= limit else { throw Fault(path: path, code: EFBIG) }
      if done == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
    }
  }

  /// Whether its owner alone can open the file.
  static func isPrivate(_ path: String) throws(Fault) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Fault(path: path, code: errno) }
    return status.st_mode & 0o077 == 0
  }

  /// Writes a new file that nobody else can read and returns when it is on the disk itself.
  static func writeNew(_ path: String, _ bytes: [UInt8]) throws(Fault) {
    let descriptor = retry { openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    guard descriptor >= 0 else { throw Fault(path: path, code: errno) }
    var rest = bytes[...]
    var code: Int32 = 0
    while !rest.isEmpty, code == 0 {
      let count = rest.withUnsafeBytes { writeFile(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { code = errno }
    }
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code != 0 else { return }
    unlink(path)
    throw Fault(path: path, code: code)
  }

  static func remove(_ path: String, in folder: String) throws(Fault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Fault(path: path, code: errno) }
    try syncFolder(folder)
  }

  static func syncFolder(_ folder: String) throws(Fault) {
    let descriptor = retry { openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw Fault(path: folder, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault(path: folder, code: errno) }
  }

  /// Makes an empty file under `name`, or under it with a number where that is taken; nil where there can be none.
  static func reserve(_ name: String) -> String? {
    // Nobody sets a hundred files of one account aside in one second.
    for path in [name] + (1..<100).map({ "\(name)-\($0)" }) {
      let descriptor = retry { openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
      if descriptor >= 0 {
        close(descriptor)
        return path
      }
      guard errno == EEXIST else { return nil }
    }
    return nil
  }

  /// Makes the folder and those above it, for their owner alone.
  static func makeFolder(_ path: String) throws(Fault) {
    if mkdir(path, 0o700) == 0 { return syncParent(of: path) }
    switch errno {
    case EEXIST: return
    case ENOENT:
      guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw Fault(path: path, code: ENOENT) }
      try makeFolder(String(path[..<slash]))
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Fault(path: path, code: errno) }
      syncParent(of: path)
    default: throw Fault(path: path, code: errno)
    }
  }

  /// Throws where no file can be made in the folder.
  static func checkWritable(_ folder: String) throws(Fault) {
    var status = stat()
    guard stat(folder, &status) == 0 else { throw Fault(path: folder, code: errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw Fault(path: folder, code: ENOTDIR) }
    guard access(folder, W_OK | X_OK) == 0 else { throw Fault(path: folder, code: errno) }
  }

  /// A new folder has to survive a power cut like what is in it; one that may be entered but not listed cannot be synced, and is not ours.
  private static func syncParent(of path: String) {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    _ = try? syncFolder(String(path[..<slash]))
  }

  /// The names in a folder; none where there is no folder.
  static func names(in folder: String) throws(Fault) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw Fault(path: folder, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  /// Repeats a call that a signal interrupted.
  static func retry(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, bytes, count) }
private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
