import Platform
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A new file, for its owner alone, that replaces another file once it is complete. Without `move` it is deleted at deinitialization.
///
/// It keeps its descriptors open. After `reserve`, writing and moving need neither disk space nor another descriptor.
final class TemporaryFile: Sendable {
  private let path: String
  private let folder: String
  private let descriptor: Int32
  private let folderDescriptor: Int32
  private let isMoved = Atomic<Bool>(false)
  /// Whether the content has to survive a power cut. A cache needs not.
  private let isDurable: Bool

  init(_ path: String, in folder: String, isDurable: Bool = true) throws(PosixFile.Fault) {
    self.isDurable = isDurable
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

  /// Reserves `count` bytes on the disk by writing them. Only a write detects a quota or a failing disk, and every file system supports it.
  func reserve(_ count: Int) throws(PosixFile.Fault) {
    try put([UInt8](repeating: 0, count: count))
    try sync(descriptor, path)
  }

  /// Writes the whole content. Returns when it is on the disk.
  func write(_ bytes: [UInt8]) throws(PosixFile.Fault) {
    try put(bytes)
    guard PosixFile.retry({ ftruncate(descriptor, off_t(bytes.count)) }) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
    try sync(descriptor, path)
  }

  /// Replaces `target` in one step. Returns when the folder is on the disk as well.
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
    guard isDurable else { return }
    guard PosixFile.retry({ fsync(descriptor) }) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
  }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags, 0o600) }
