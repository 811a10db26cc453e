import CPlatform

/// POSIX calls for files. Each reports why it failed.
package enum PosixFile {
  package struct Fault: Error {
    package var path: String
    package var code: Int32
    /// The problem, if no `errno` describes it.
    package var problem: String?
    /// Whether another user has the file or its folder, and the process must not use it.
    package var isOfOther = false

    /// The problem or `errno`'s text in lower case, as all messages show it.
    package var reason: String { problem ?? (code == Self.isNoFile ? "not a regular file" : Descriptors.reason(code)) }

    package init(path: String, code: Int32, problem: String? = nil) { (self.path, self.code, self.problem) = (path, code, problem) }

    package var isTooLarge: Bool { code == EFBIG }

    /// A negative code, because no `errno` means that the path is a device or a pipe.
    static let isNoFile: Int32 = -1
  }

  /// Returns the whole file, or nil if there is none. A file of more than `limit` bytes is `EFBIG`.
  ///
  /// The file is opened without blocking, because opening a pipe would wait for its writer indefinitely.
  /// Without `followsLinks`, the file itself is no link, and root follows none that another user could have made.
  /// `check` sees what the open file is before its content is read. With `isPipe`, the path is a pipe, and its writer is waited for.
  package static func read(
    _ path: String, limit: Int = .max, below root: Int32? = nil, followsLinks: Bool = true, isPipe: Bool = false,
    check: (_ status: stat, _ path: String) throws(Fault) -> Void = { _, _ in }
  ) throws(Fault) -> [UInt8]? {
    let descriptor: Int32
    do throws(Fault) {
      descriptor = try openForReading(path, below: root, followsLinks: followsLinks)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    defer { close(descriptor) }
    let status = try regularStatus(descriptor, path, orPipe: isPipe)
    try check(status, path)
    if isPipe {
      // The end of a pipe that no program has opened yet looks like that of an empty one.
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&state, 1, -1) < 0, errno == EINTR {}
      _ = fcntl(descriptor, F_SETFL, O_RDONLY)
    }
    return try content(of: descriptor, size: Int(status.st_size), path, limit: limit)
  }

  /// Returns what an open file is. Throws unless it is a regular one, because devices and pipes have no end.
  package static func regularStatus(_ descriptor: Int32, _ path: String, orPipe: Bool = false) throws(Fault) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Fault(path: path, code: errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || (orPipe && kind == S_IFIFO) else { throw Fault(path: path, code: kind == S_IFDIR ? EISDIR : Fault.isNoFile) }
    return status
  }

  /// Returns the content of an open file, from the start. More than `limit` bytes are `EFBIG`.
  package static func content(of descriptor: Int32, size: Int = 0, _ path: String, limit: Int) throws(Fault) -> [UInt8] {
    guard size <= limit else { throw Fault(path: path, code: EFBIG) }
    // One byte more than the file has: the next read finds the end without a larger buffer. Without a known size, 64 KiB.
    var bytes = [UInt8](repeating: 0, count: size == 0 ? 64 << 10 : size + 1)
    var done = 0
    while true {
      let count = bytes.withUnsafeMutableBytes { readFile(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Fault(path: path, code: errno) }
      if count == 0 {
        // In place: a copy of a key would stay in memory.
        bytes.removeLast(bytes.count - done)
        return bytes
      }
      done += count
      guard done <= limit else { throw Fault(path: path, code: EFBIG) }
      if done == bytes.count { bytes += [UInt8](repeating: 0, count: bytes.count) }
    }
  }

  /// Opens a file without blocking. With `root`, the path starts in that open folder and has no link. The file then has no other name: a hard link
  /// could be the name of any file.
  package static func openForReading(_ path: String, below root: Int32?, followsLinks: Bool = true) throws(Fault) -> Int32 {
    let flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC
    var place: FilePlace?
    if root != nil || !followsLinks { place = try FilePlace(path, below: root, makes: !followsLinks) }
    let descriptor = retry { place.map { openat($0.folder, $0.name, flags | O_NOFOLLOW) } ?? openFile(path, flags, 0) }
    guard descriptor >= 0 else { throw Fault(path: path, code: errno) }
    guard root != nil else { return descriptor }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink == 1 || status.st_mode & S_IFMT == S_IFDIR else {
      close(descriptor)
      throw Fault(path: path, code: ELOOP, problem: "it has several names, and --files allows no links")
    }
    return descriptor
  }

  /// Returns the path of the file without links; nil if there is none.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Whether only its owner can open the file.
  package static func isPrivate(_ path: String) throws(Fault) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Fault(path: path, code: errno) }
    return status.st_mode & 0o077 == 0
  }

  /// Writes a new file that only its owner can read, or the readers of the file that it will replace. Returns when it is on the disk.
  package static func writeNew(_ path: String, _ bytes: [UInt8], inPlaceOf old: stat? = nil) throws(Fault) {
    try bytes.withUnsafeBytes { bytes in Result { () throws(Fault) in try writeNew(path, bytes, inPlaceOf: old) } }.get()
  }

  package static func writeNew(_ path: String, _ bytes: UnsafeRawBufferPointer, inPlaceOf old: stat? = nil) throws(Fault) {
    let descriptor = try FilePlace(path, makes: true).makeFile(O_WRONLY, path)
    // The owner comes first, so that no other user reads the file meanwhile.
    let isReady = old.map { fchown(descriptor, $0.st_uid, $0.st_gid) == 0 && fchmod(descriptor, $0.st_mode & 0o777) == 0 } ?? true
    var code = isReady ? write(bytes, to: descriptor) : errno
    if code == 0, fsync(descriptor) != 0 { code = errno }
    if close(descriptor) != 0, code == 0 { code = errno }
    guard code != 0 else { return }
    unlink(path)
    throw Fault(path: path, code: code)
  }

  /// Writes all bytes. Returns 0, or the `errno` of a write that failed.
  ///
  /// A parent that shares the descriptor may have made it non-blocking. The call then waits until it takes more.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var done = 0
    while done < bytes.count {
      let count = writeFile(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK {
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&room, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  /// Writes what a pipe or socket takes without waiting, and returns how many bytes that is. Returns -1 with EAGAIN if it takes none, and with another
  /// `errno` if the system cannot try that.
  package static func writeNow(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    cplatform_write_now(descriptor, bytes.baseAddress, bytes.count)
  }

  /// Writes a whole text, such as a line of a log.
  package static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  package static func remove(_ path: String, in folder: String) throws(Fault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Fault(path: path, code: errno) }
    try syncFolder(folder)
  }

  package static func syncFolder(_ folder: String) throws(Fault) {
    let descriptor = retry { openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0) }
    guard descriptor >= 0 else { throw Fault(path: folder, code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw Fault(path: folder, code: errno) }
  }

  /// Creates an empty file called `name`, with a number appended if that name exists. Returns nil if no file can be created.
  package static func reserve(_ name: String) -> String? {
    // More than a hundred damaged files of one account in one second are not expected.
    for path in [name] + (1..<100).map({ "\(name)-\($0)" }) {
      do throws(Fault) {
        try writeNew(path, [])
        return path
      } catch {
        guard error.code == EEXIST else { return nil }
      }
    }
    return nil
  }

  /// Creates the folder and its missing parents, for their owner alone.
  package static func makeFolder(_ path: String) throws(Fault) {
    let place: FilePlace
    do throws(Fault) { place = try FilePlace(path, makes: true) } catch {
      guard error.code == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { throw error }
      try makeFolder(String(path[..<slash]))
      place = try FilePlace(path, makes: true)
    }
    guard place.status == nil else { return }
    do throws(Fault) { try place.makeFolder(path) } catch { if error.code != EEXIST { throw error } }
    // A new folder must survive a power cut like its content. A parent that cannot be listed cannot be synced, and is not ours.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return }
    _ = try? syncFolder(String(path[..<slash]))
  }

  /// Returns the names in a folder that end in `suffix`; an empty list if there is no folder. A relative path starts in the open folder `root`.
  package static func names(in folder: String, of root: Int32 = AT_FDCWD, endingIn suffix: String = "") throws(Fault) -> [String] {
    let descriptor = openat(root, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, let stream = fdopendir(descriptor) else {
      if errno == ENOENT { return [] }
      throw Fault(path: folder, code: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self)) }
      if name.hasSuffix(suffix), name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Repeats a call that a signal interrupted.
  package static func retry(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func readFile(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(descriptor, bytes, count) }
private func writeFile(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
