import Dispatch
import Jansson
import OAuthCore
import Platform
import Synchronization

/// A file with JSON lines about the uses of credentials. It has no secret, no query and no body.
///
/// A line is one write to the end of the file, so several processes can share it. It is synced a second later.
package final class AuditLog: Sendable {
  /// Milliseconds between a line and its sync.
  private static let syncDelay = 1000
  /// Seconds that the end of the process waits for the last lines. A use without its second line is still recorded by the first.
  private static let lastWait = 2

  private let path: String
  let profile: String?
  private let clock: Clock
  private let log: any LogSink
  private let events: any EventSink
  /// Threads of their own: a hanging disk must not hold work that uses no credential.
  private let blockingThreads = Blocking()
  /// Entered by each line until it is written.
  private let open = DispatchGroup()
  private let file: Mutex<File>

  private struct File {
    var descriptor: Int32
    var isSyncDue = false
    /// Whether the last line was written in part.
    var isTorn = false
  }

  /// Opens the file. Throws if it cannot be written, and warns if other users can write it.
  package init(path: String, profile: String?, clock: Clock, log: any LogSink, events: any EventSink) throws(OAuthFailure) {
    (self.path, self.profile, self.clock, self.log, self.events) = (path, profile, clock, log, events)
    let descriptor: Int32
    do throws(PosixFile.Fault) {
      descriptor = try Self.open(path)
    } catch {
      throw Self.failure(path, "the audit file \(path) cannot be written: \(error.reason)")
    }
    file = Mutex(File(descriptor: descriptor))
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & 0o022 != 0 else { return }
    log.take(.fileBroken("other users can change the audit file \(path): make it writable only for its owner"))
  }

  private static func open(_ path: String) throws(PosixFile.Fault) -> Int32 {
    let descriptor = try FilePlace(path, makes: true).openFile(O_WRONLY | O_APPEND | O_NONBLOCK | O_NOFOLLOW, path, makes: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      close(descriptor)
      throw PosixFile.Fault(path: path, code: 0, problem: "it must be a regular file with one name (no hard links)")
    }
    return descriptor
  }

  /// Writes a line. Throws if that fails or takes more than `seconds`: the credential must then not be used.
  func write(_ use: CredentialUse, within seconds: Int) async throws {
    let written = Promise<Void>()
    add(use) { written.settle($0.map { .failure($0) } ?? .success(())) }
    guard try await clock.withTimeout(seconds, { try await written.value() }) == nil else { return }
    throw unrecorded("it took more than \(seconds) s").of(use.account)
  }

  /// Begins to write the line about the answer. No request waits for it.
  func end(_ use: CredentialUse) {
    add(use) { [self] in if let failure = $0 { report(failure) } }
  }

  private func report(_ failure: OAuthFailure) {
    log.take(.init(.error, failure.message))
    events.report(failure)
  }

  private func add(_ use: CredentialUse, done: @escaping @Sendable (OAuthFailure?) -> Void) {
    let line = use.line(at: clock.now, profile)
    blockingThreads.start(in: open) { [self] in
      do throws(PosixFile.Fault) {
        if try file.withLock({ file throws(PosixFile.Fault) in try write(line, &file) }) { syncLater() }
        done(nil)
      } catch {
        done(unrecorded(error.reason).of(use.account))
      }
    }
  }

  /// Returns whether no sync of earlier lines is due.
  private func write(_ line: [UInt8], _ file: inout File) throws(PosixFile.Fault) -> Bool {
    try follow(&file)
    let bytes = (file.isTorn ? [10] : []) + line
    var done = 0
    while done < bytes.count {
      let descriptor = file.descriptor
      let count = bytes.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        file.isTorn = file.isTorn || done > 0
        throw PosixFile.Fault(path: path, code: errno)
      }
      done += count
    }
    defer { file.isSyncDue = true }
    file.isTorn = false
    return !file.isSyncDue
  }

  /// Follows a program that has renamed the file to begin a new one.
  private func follow(_ file: inout File) throws(PosixFile.Fault) {
    var (mine, there) = (stat(), stat())
    guard fstat(file.descriptor, &mine) == 0 else { return }
    if lstat(path, &there) == 0, (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino) { return }
    let next = try Self.open(path)
    close(file.descriptor)
    (file.descriptor, file.isTorn) = (next, false)
  }

  private func syncLater() { _ = clock.schedule(Self.syncDelay) { [self] in blockingThreads.start(in: open) { [self] in sync() } } }

  private func sync() {
    let code = file.withLock { file -> Int32 in
      defer { file.isSyncDue = false }
      return file.isSyncDue && PosixFile.retry { fsync(file.descriptor) } != 0 ? errno : 0
    }
    if code != 0 { report(unrecorded(PosixFile.Fault(path: path, code: code).reason)) }
  }

  /// Writes and syncs what is left. To be called when the process ends.
  package func finish() {
    blockingThreads.start(in: open) { [self] in sync() }
    guard open.wait(timeout: .now() + .seconds(Self.lastWait)) == .timedOut else { return }
    log.take(.fileBroken("the last lines of the audit file \(path) are missing: its disk does not answer"))
  }

  private func unrecorded(_ reason: String) -> OAuthFailure {
    Self.failure(path, "the use of a credential could not be recorded in \(path): \(reason)")
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
      let texts = [("id", request.id), ("method", request.method), ("host", request.host), ("path", request.path)]
      members += texts.map { .init($0, .string($1)) }
    }
    switch result {
    case .success(let status): members.append(.init("status", .integer(status)))
    case .failure(let failure): members.append(.init("failure", .string(failure.kind.rawValue)))
    case nil: break
    }
    if let profile { members.append(.init("profile", .string(profile))) }
    return Self.visible(JSON.object(members).text) + [10]
  }

  /// Escapes what a terminal or an editor would show as another line or in another order. All characters but ASCII are in strings.
  private static func visible(_ json: [UInt8]) -> [UInt8] {
    String(decoding: json, as: UTF8.self).unicodeScalars.flatMap { scalar in
      let code = String(scalar.value, radix: 16)
      return Array((scalar.isHidden ? "\\u" + String(repeating: "0", count: 4 - code.utf8.count) + code : String(scalar)).utf8)
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int { write(descriptor, bytes, count) }
