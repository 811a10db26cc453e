import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A new file, for its owner alone, that takes the place of another file once it is whole. Without `move` it disappears with its value.
///
/// It keeps the descriptors that it needs: after `reserve`, writing and moving need neither space nor another descriptor.
final class TemporaryFile: Sendable {
  private let path: String
  private let folder: String
  private let descriptor: Int32
  private let folderDescriptor: Int32
  private let isMoved = Atomic<Bool>(false)

  init(_ path: String, in folder: String) throws(PosixFile.Fault) {
    folderDescriptor = PosixFile.retry { openFile(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard folderDescriptor >= 0 else { throw PosixFile.Fault(path: folder, code: errno) }
    descriptor = PosixFile.retry { openFile(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC) }
    guard descriptor >= 0 else {
      let code = errno
      close(folderDescriptor)
      throw PosixFile.Fault(path: path, code: code)
    }
    self.path = path
    self.folder = folder
  }

  deinit {
    if !isMoved.load(ordering: .relaxed) { unlink(path) }
    close(descriptor)
    close(folderDescriptor)
  }

  /// Takes up `count` bytes on the disk. They are written, not announced: a quota and a failing disk show only then, and every file system can do it.
  func reserve(_ count: Int) throws(PosixFile.Fault) {
    try put([UInt8](repeating: 0, count: count))
    try sync(descriptor, path)
  }

  /// Writes the whole content and returns when it is on the disk itself.
  func write(_ bytes: [UInt8]) throws(PosixFile.Fault) {
    try put(bytes)
    guard PosixFile.retry({ ftruncate(descriptor, off_t(bytes.count)) }) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
    try sync(descriptor, path)
  }

  /// Puts the file in the place of `target` in one step and returns when the folder is on the disk as well.
  func move(over target: String) throws(PosixFile.Fault) {
    guard rename(path, target) == 0 else { throw PosixFile.Fault(path: target, code: errno) }
    isMoved.store(true, ordering: .relaxed)
    try sync(folderDescriptor, folder)
  }

  private func put(_ bytes: [UInt8]) throws(PosixFile.Fault) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(done)) }
      if count >= 0 { done += count } else if errno != EINTR { throw PosixFile.Fault(path: path, code: errno) }
    }
  }

  private func sync(_ descriptor: Int32, _ path: String) throws(PosixFile.Fault) {
    guard PosixFile.retry({ fsync(descriptor) }) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
  }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
