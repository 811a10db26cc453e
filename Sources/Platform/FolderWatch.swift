/// Reports the files of an existing folder that other files replaced, or that were moved or deleted.
/// A network file system reports the changes of this machine only.
package final class FolderWatch: Sendable {
  private let folder: String
  private let descriptor: Int32

  #if canImport(Glibc)
    // A grant is renamed into place, so neither new files nor written ones matter. Every process that waits for a lock opens and closes its file.
    private static let events = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    /// The folder's end, or too many changes, the folder's end perhaps among them.
    private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED | IN_Q_OVERFLOW)
    /// Bytes, for dozens of reports.
    private static let bufferSize = 16 << 10

    /// Throws if the system watches no more folders for this user, or the folder is another user's or missing.
    package init(_ folder: String) throws(PosixFile.Fault) {
      self.folder = folder
      descriptor = inotify_init1(O_CLOEXEC)
      guard descriptor >= 0 else {
        // Not the process's descriptors, which is what this error means otherwise.
        let problem = errno == EMFILE ? "the user's limit of inotify instances is reached" : nil
        throw PosixFile.Fault(path: folder, code: errno, problem: problem)
      }
      guard inotify_add_watch(descriptor, folder, Self.events) >= 0 else { throw PosixFile.Fault(path: folder, code: errno) }
    }

    /// Reports the names of changed files. Blocks the thread until the folder is gone or there were too many changes, and throws why.
    package func report(_ onChange: (Set<String>) -> Void) throws(PosixFile.Fault) {
      while true {
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw PosixFile.Fault(path: folder, code: errno) }
        let (names, mask) = Self.reports(buffer[..<count])
        guard mask & Self.ends == 0 else { throw PosixFile.Fault(path: folder, code: access(folder, F_OK) == 0 ? ENOENT : errno) }
        onChange(names)
      }
    }

    /// Returns the reported names, and the union of what happened.
    private static func reports(_ bytes: ArraySlice<UInt8>) -> (names: Set<String>, mask: UInt32) {
      bytes.withUnsafeBytes { bytes in
        let head = MemoryLayout<inotify_event>.size
        var (names, mask, start): (Set<String>, UInt32, Int) = ([], 0, 0)
        while start + head <= bytes.count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let name = bytes[(start + head)..<min(bytes.count, start + head + Int(event.len))].prefix { $0 != 0 }
          names.insert(String(decoding: name, as: UTF8.self))
          mask |= event.mask
          start += head + Int(event.len)
        }
        return (names, mask)
      }
    }

    deinit { close(descriptor) }
  #else
    private let opened: Int32
    /// What differs between two versions of a file, by the file's name.
    private let files: [String: [Int]]

    package init(_ folder: String) throws(PosixFile.Fault) {
      self.folder = folder
      opened = open(folder, O_EVTONLY | O_CLOEXEC)
      descriptor = opened < 0 ? -1 : kqueue()
      var event = kevent(
        ident: UInt(max(0, opened)), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE), data: 0, udata: nil)
      let code = descriptor >= 0 && kevent(descriptor, &event, 1, nil, 0, nil) == 0 ? 0 : errno
      files = code == 0 ? Self.files(in: folder) : [:]
      guard code == 0 else { throw PosixFile.Fault(path: folder, code: code) }
    }

    /// Reports the names of changed files. Blocks the thread until the folder is gone, and throws why.
    package func report(_ onChange: (Set<String>) -> Void) throws(PosixFile.Fault) {
      var previous = files
      while true {
        var event = kevent()
        guard PosixFile.retry({ kevent(descriptor, nil, 0, &event, 1, nil) }) > 0 else { throw PosixFile.Fault(path: folder, code: errno) }
        guard event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) == 0 else { throw PosixFile.Fault(path: folder, code: ENOENT) }
        let files = Self.files(in: folder)
        let changed = Set(files.keys).union(previous.keys).filter { [previous] in files[$0] != previous[$0] }
        previous = files
        if !changed.isEmpty { onChange(changed) }
      }
    }

    private static func files(in folder: String) -> [String: [Int]] {
      var files: [String: [Int]] = [:]
      for name in (try? PosixFile.names(in: folder)) ?? [] {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
        files[name] = [Int(status.st_ino), Int(status.st_size), status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
      }
      return files
    }

    deinit {
      close(descriptor)
      close(opened)
    }
  #endif
}
