import Dispatch
import Jansson
import OAuth
import OAuthCore
import Platform
import Synchronization

/// A file with a JSON line for each use of a credential. It has no secret, no query and no body.
///
/// A line is one write to the end of the file, so several processes can share it. It is written before the request is answered, unless the disk
/// hangs. New tokens are stored without waiting for their line, because a slow disk must not lose a login.
/// The file is synced a second after a line at the latest.
final class AuditLog: Sendable {
  private static let pause = DispatchTimeInterval.seconds(1)
  /// In seconds. An answer waits so long for its line. After that, the disk counts as broken.
  private static let longestWait = 10

  private let path: String
  private let profile: String?
  private let clock: Clock
  private let log: Log
  /// Called when a write fails, and not again until a write has succeeded.
  private let failed: @Sendable (OAuthFailure) -> Void
  /// Writes the lines in their order. A slow disk must block neither a task nor the reader of requests.
  private let lines = DispatchQueue(label: "audit")
  /// Syncs have a queue of their own, because a sync takes far longer than a line.
  private let syncs = DispatchQueue(label: "audit-sync")
  private let file: Mutex<File>
  /// The most lines that a hanging disk holds back before answers wait again, which bounds the memory.
  private static let longestQueue = 10_000
  private let count = Atomic<Int>(0)
  private let done = Atomic<Int>(0)
  /// Whether a line takes too long, which was reported.
  private let isStuck = Atomic<Bool>(false)

  private struct File {
    var descriptor: Int32 = -1
    var isSyncDue = false
    var hasFailed = false
    /// Whether the last line was written in part.
    var isTorn = false
  }

  /// Opens the file. Throws if it cannot be written, and warns if other users can write it.
  init(
    path: String, profile: String?, clock: Clock, log: Log, failed: @escaping @Sendable (OAuthFailure) -> Void
  ) throws(OAuthFailure) {
    (self.path, self.profile, self.clock, self.log, self.failed) = (path, profile, clock, log, failed)
    var file = File()
    do throws(PosixFile.Fault) {
      file.descriptor = try Self.open(path)
    } catch {
      throw Self.failure(path, "the audit file \(path) cannot be written: \(error.reason)")
    }
    self.file = Mutex(file)
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & 0o022 != 0 else { return }
    log.say(.warning, "other users can change the audit file \(path): make it writable only for its owner")
  }

  private static func open(_ path: String) throws(PosixFile.Fault) -> Int32 {
    let descriptor = PosixFile.retry { openFile(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o600) }
    guard descriptor >= 0 else { throw PosixFile.Fault(path: path, code: errno, problem: errno == ELOOP ? "it is a link" : nil) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw PosixFile.Fault(path: path, code: 0, problem: "not a regular file")
    }
    guard status.st_nlink <= 1 else {
      close(descriptor)
      throw PosixFile.Fault(path: path, code: 0, problem: "it has several names (hard links)")
    }
    return descriptor
  }

  /// Begins to write a line. `failed` reports a failure.
  func add(_ use: CredentialUse) {
    let line = use.line(at: clock.now, profile)
    count.add(1, ordering: .relaxed)
    lines.async { [self] in
      add(line)
      done.add(1, ordering: .relaxed)
      isStuck.store(false, ordering: .relaxed)
    }
  }

  /// The number of lines so far.
  var added: Int { count.load(ordering: .relaxed) }

  /// Waits until the lines so far are written, and reports a disk that does not take them in time. Cancelling the caller does not end the wait.
  func written() async {
    // After the report, answers no longer wait for a disk that may never come back.
    if isStuck.load(ordering: .relaxed), added - done.load(ordering: .relaxed) < Self.longestQueue { return }
    let written = Promise<Void>()
    lines.async { written.settle(.success(())) }
    let isWritten = await Task { [clock] in (try? await clock.withTimeout(Self.longestWait) { try await written.value() }) != nil }.value
    guard !isWritten, !isStuck.exchange(true, ordering: .relaxed) else { return }
    failed(Self.failure(path, "the use of a credential could not be recorded in \(path): it took more than \(Self.longestWait) s"))
  }

  private func add(_ line: [UInt8]) {
    let isFirst = file.withLock { file in
      write(line, &file)
      defer { file.isSyncDue = true }
      return !file.isSyncDue
    }
    if isFirst { syncs.asyncAfter(deadline: .now() + Self.pause) { [self] in sync() } }
  }

  /// Writes and syncs what is left. To be called when the process ends. Takes as long as the disk does, because a missing line would hide a use.
  func finish() {
    let done = DispatchSemaphore(value: 0)
    lines.async { [self] in
      syncs.sync { sync() }
      done.signal()
    }
    guard done.wait(timeout: .now() + Self.pause) == .timedOut else { return }
    log.line("oauth-stdio: waiting for the audit file \(path). A second signal ends the process now and may lose lines")
    done.wait()
  }

  private func write(_ line: [UInt8], _ file: inout File) {
    // The old file still takes the line, but its name, or the whole file, is gone.
    let isInPlace = reopenIfReplaced(&file)
    let bytes = (file.isTorn ? [10] : []) + line
    let descriptor = file.descriptor
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        file.isTorn = file.isTorn || done > 0
        return report(errno, &file)
      }
      done += count
    }
    file.isTorn = false
    if isInPlace { file.hasFailed = false }
  }

  /// Syncs another descriptor of the file, because lines are written meanwhile, and one of them may reopen the file.
  private func sync() {
    let descriptor = file.withLock { file -> Int32? in
      guard file.isSyncDue else { return nil }
      file.isSyncDue = false
      return fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    }
    guard let descriptor else { return }
    // Without a free descriptor, the lines wait for the sync.
    guard descriptor >= 0 else { return file.withLock { file in if fsync(file.descriptor) != 0 { report(errno, &file) } } }
    let isSynced = PosixFile.retry { fsync(descriptor) } == 0
    let code = errno
    close(descriptor)
    if !isSynced { file.withLock { report(code, &$0) } }
  }

  /// Follows a program that has renamed the file to begin a new one. Returns whether the file of that name is open.
  private func reopenIfReplaced(_ file: inout File) -> Bool {
    var (mine, there) = (stat(), stat())
    guard fstat(file.descriptor, &mine) == 0 else { return true }
    if lstat(path, &there) == 0, (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino) { return true }
    do throws(PosixFile.Fault) {
      let fresh = try Self.open(path)
      close(file.descriptor)
      (file.descriptor, file.isTorn) = (fresh, false)
      return true
    } catch {
      report(error, &file)
      return false
    }
  }

  private func report(_ code: Int32, _ file: inout File) { report(PosixFile.Fault(path: path, code: code), &file) }

  private func report(_ fault: PosixFile.Fault, _ file: inout File) {
    guard !file.hasFailed else { return }
    file.hasFailed = true
    failed(Self.failure(path, "the use of a credential could not be recorded in \(path): \(fault.reason)"))
  }

  private static func failure(_ path: String, _ message: String) -> OAuthFailure {
    OAuthFailure(.storageFailure, message, details: [.init("path", .string(path))], isRetryable: true)
  }
}

extension CredentialUse {
  /// Returns the line with its end.
  fileprivate func line(at now: Int, _ profile: String?) -> [UInt8] {
    var members: [JSON.Member] = [.init("time", .integer(now)), .init("account", .string(account)), .init("use", .string(use))]
    if let request {
      members.append(.init("method", .string(request.method)))
      members.append(.init("host", .string(request.host)))
      members.append(.init("path", .string(request.path)))
      switch request.result {
      case .success(let status): members.append(.init("status", .integer(status)))
      case .failure(let failure): members.append(.init("failure", .string(failure.kind.rawValue)))
      }
    }
    if let profile { members.append(.init("profile", .string(profile))) }
    return Self.visible(JSON.object(members).text) + [10]
  }

  /// Escapes what a terminal or an editor would show as another line or in another order. All characters but ASCII are in strings.
  private static func visible(_ json: [UInt8]) -> [UInt8] {
    var line: [UInt8] = []
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
      let code = String(scalar.value, radix: 16)
      let text = scalar.isHidden ? "\\u" + String(repeating: "0", count: 4 - code.utf8.count) + code : String(scalar)
      line += Array(text.utf8)
    }
    return line
  }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
