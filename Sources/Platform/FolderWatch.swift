import Synchronization

/// Reports the files of a folder that other files replaced, or that were moved or deleted.
/// On Linux it waits for inotify. On macOS a missing folder is looked for once a second.
///
/// If the folder is missing, the deepest existing folder above it is watched until it is there.
/// A network file system reports the changes of this machine only.
package final class FolderWatch: Sendable {
  /// What has happened since the last report.
  package struct Changes: Sendable {
    package var names: Set<String> = []
    /// Whether other files may have changed too: the folder is a new one or is gone, or there were too many changes to report them all.
    package var mayHaveMore = false
  }

  private let folder: String
  private let descriptor: Int32
  private let place: Mutex<Place>
  /// Whether there was a report since the last look at the folder itself.
  private let isUnsettled = Atomic<Bool>(false)

  #if canImport(Glibc)
    /// The watched folder: the one that is asked for, or one above it.
    private struct Place {
      var watch: Int32
      var isAbove: Bool
      var identity: Identity?
    }

    private struct Identity: Equatable {
      var device: dev_t
      var file: ino_t
    }

    // A grant is renamed into place, so neither new files nor written ones matter. Every process that waits for a lock opens and closes its file.
    private static let inside = UInt32(IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    private static let above = UInt32(IN_CREATE | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    private static let ends = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)
    /// Bytes, for dozens of reports.
    private static let bufferSize = 16 << 10
    /// Milliseconds after the last report. A program that deletes a folder first deletes its files.
    private static let settling: Int32 = 1000

    /// Throws if the system watches no more folders for this user, or the folder is another user's.
    package init(_ folder: String) throws(PosixFile.Fault) {
      self.folder = folder
      descriptor = inotify_init1(O_CLOEXEC)
      guard descriptor >= 0 else {
        // Not the process's descriptors, which is what this error means otherwise.
        let problem = errno == EMFILE ? "the user's limit of inotify instances is reached" : nil
        throw PosixFile.Fault(path: folder, code: errno, problem: problem)
      }
      do throws(PosixFile.Fault) {
        place = Mutex(try Self.place(folder, descriptor))
      } catch {
        close(descriptor)
        throw error
      }
    }

    /// Waits for changes. Blocks the thread.
    package func next() throws(PosixFile.Fault) -> Changes {
      var changes = Changes()
      while changes.names.isEmpty, !changes.mayHaveMore {
        if try isSettled(&changes) { continue }
        var buffer = [UInt8](repeating: 0, count: Self.bufferSize)
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw PosixFile.Fault(path: folder, code: errno) }
        try buffer.withUnsafeBytes { bytes in
          Result { () throws(PosixFile.Fault) in try take(UnsafeRawBufferPointer(rebasing: bytes[..<count]), &changes) }
        }.get()
      }
      return changes
    }

    /// Waits for a report. A second after the last one, looks whether the folder is still the watched one, and returns true: the system reports the
    /// deletion of a folder only when no program has it open any more.
    private func isSettled(_ changes: inout Changes) throws(PosixFile.Fault) -> Bool {
      guard place.withLock({ $0.identity != nil }), isUnsettled.exchange(false, ordering: .relaxed) else { return false }
      var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard PosixFile.retry({ poll(&state, 1, Self.settling) }) == 0 else { return false }
      guard place.withLock({ $0.identity }) != Self.identity(folder) else { return true }
      try placeAnew()
      changes.mayHaveMore = true
      return true
    }

    private func placeAnew() throws(PosixFile.Fault) {
      inotify_rm_watch(descriptor, place.withLock { $0.watch })
      let next = try Self.place(folder, descriptor)
      place.withLock { $0 = next }
    }

    private static func identity(_ folder: String) -> Identity? {
      var status = stat()
      return stat(folder, &status) == 0 ? Identity(device: status.st_dev, file: status.st_ino) : nil
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ changes: inout Changes) throws(PosixFile.Fault) {
      let head = MemoryLayout<inotify_event>.size
      var start = 0
      while start + head <= bytes.count {
        let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
        let name = bytes[(start + head)..<min(bytes.count, start + head + Int(event.len))].prefix { $0 != 0 }
        start += head + Int(event.len)
        try take(event, String(decoding: name, as: UTF8.self), &changes)
      }
    }

    private func take(_ event: inotify_event, _ name: String, _ changes: inout Changes) throws(PosixFile.Fault) {
      isUnsettled.store(true, ordering: .relaxed)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        // The report of the folder's end may be among the lost ones.
        changes.mayHaveMore = true
        return try placeAnew()
      }
      let current = place.withLock { $0 }
      // Reports of a former place are ignored.
      guard event.wd == current.watch else { return }
      if current.isAbove || event.mask & Self.ends != 0 {
        try placeAnew()
        let isAbove = place.withLock { $0.isAbove }
        changes.mayHaveMore = changes.mayHaveMore || !(current.isAbove && isAbove)
      } else {
        changes.names.insert(name)
      }
    }

    /// Watches the folder, or else the deepest existing one above it.
    private static func place(_ folder: String, _ descriptor: Int32) throws(PosixFile.Fault) -> Place {
      var (path, missing) = (folder, "")
      while true {
        let watch = inotify_add_watch(descriptor, path, missing.isEmpty ? inside : above)
        if watch >= 0 {
          if missing.isEmpty { return Place(watch: watch, isAbove: false, identity: identity(folder)) }
          if !isFolder(missing) { return Place(watch: watch, isAbove: true) }
          // It was created before the folder above it was watched.
          inotify_rm_watch(descriptor, watch)
          (path, missing) = (folder, "")
        } else {
          guard [ENOENT, ENOTDIR].contains(errno), path != "/", path != "." else { throw PosixFile.Fault(path: path, code: errno) }
          (path, missing) = (parent(of: path), path)
        }
      }
    }

    private static func isFolder(_ path: String) -> Bool {
      var status = stat()
      return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func parent(of path: String) -> String {
      let (bytes, separator) = (path.utf8, UInt8(ascii: "/"))
      let end = bytes.lastIndex { $0 != separator } ?? path.startIndex
      guard let slash = bytes[...end].lastIndex(of: separator) else { return "." }
      return slash == path.startIndex ? "/" : String(path[..<slash])
    }
  #else
    /// What the folder held when it was last examined.
    private struct Place {
      var files: [String: [Int]]
      var descriptor: Int32
    }

    /// Seconds between two attempts to open a missing folder.
    private static let pause = 1

    package init(_ folder: String) throws(PosixFile.Fault) {
      self.folder = folder
      descriptor = kqueue()
      guard descriptor >= 0 else { throw PosixFile.Fault(path: folder, code: errno) }
      place = Mutex(Place(files: Self.files(in: folder), descriptor: Self.opened(folder, descriptor)))
    }

    /// Waits for changes. Blocks the thread.
    package func next() throws(PosixFile.Fault) -> Changes {
      var changes = Changes()
      while changes.names.isEmpty, !changes.mayHaveMore {
        let current = place.withLock { $0 }
        var event = kevent()
        var pause = timespec(tv_sec: Self.pause, tv_nsec: 0)
        let count = current.descriptor >= 0 ? kevent(descriptor, nil, 0, &event, 1, nil) : kevent(descriptor, nil, 0, &event, 1, &pause)
        guard count >= 0 || errno == EINTR else { throw PosixFile.Fault(path: folder, code: errno) }
        var next = current
        if current.descriptor < 0 || (count > 0 && event.fflags & UInt32(NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE) != 0) {
          if current.descriptor >= 0 { close(current.descriptor) }
          next.descriptor = Self.opened(folder, descriptor)
          changes.mayHaveMore = current.descriptor >= 0 || next.descriptor >= 0
        }
        // Examined after the folder is watched again.
        next.files = Self.files(in: folder)
        for name in Set(next.files.keys).union(current.files.keys) where next.files[name] != current.files[name] {
          changes.names.insert(name)
        }
        place.withLock { [next] in $0 = next }
      }
      return changes
    }

    private static func opened(_ folder: String, _ queue: Int32) -> Int32 {
      let opened = open(folder, O_EVTONLY | O_CLOEXEC)
      guard opened >= 0 else { return -1 }
      var event = kevent(
        ident: UInt(opened), filter: Int16(EVFILT_VNODE), flags: UInt16(EV_ADD | EV_CLEAR),
        fflags: UInt32(NOTE_WRITE | NOTE_DELETE | NOTE_RENAME | NOTE_REVOKE), data: 0, udata: nil)
      if kevent(queue, &event, 1, nil, 0, nil) == 0 { return opened }
      close(opened)
      return -1
    }

    /// What differs between two versions of a file, by the file's name.
    private static func files(in folder: String) -> [String: [Int]] {
      var files: [String: [Int]] = [:]
      for name in (try? PosixFile.names(in: folder)) ?? [] {
        var status = stat()
        guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
        files[name] = [Int(status.st_ino), Int(status.st_size), status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
      }
      return files
    }
  #endif

  deinit { close(descriptor) }
}
