import Crypto
import OAuthCore
import Platform

extension FileStore {
  /// Bytes reserved beyond the present grant. The tokens, claims and attributes that a refresh adds are far smaller than 16 KiB.
  private static let room = 16 << 10
  /// Seconds. A write takes less than one, so an older temporary file is abandoned.
  private static let leftoverAge = 3600
  /// Seconds. The user may sign in again.
  private static let remainsAge = 30 * 86_400

  package func write(_ grant: Grant) async throws(OAuthFailure) {
    let file = try await begin(grant)
    // The temporary file of a failed write is gone when the error is reported.
    try await disk.run { [self] () throws(OAuthFailure) in try put(grant, into: file) }
  }

  package func reserve(for grant: Grant) async throws(OAuthFailure) -> GrantReservation {
    let file = try await begin(grant, reserving: Self.room)
    return { [self] fresh async throws(OAuthFailure) in
      try await disk.run { [self] () throws(OAuthFailure) in try put(fresh, into: file) }
    }
  }

  package func makeReady() async throws(OAuthFailure) {
    try await withKey { [self] _ throws(OAuthFailure) in
      do throws(PosixFile.Fault) {
        // A full disk must fail before the user signs in.
        try TemporaryFile(for: key.path, in: folder).reserve(Self.room)
      } catch {
        throw StorageFailure.ofFolder(PosixFile.Fault(path: folder, code: error.code))
      }
    }
  }

  package func remove(_ account: String) async throws(OAuthFailure) {
    let path = path(of: account)
    forgetOpened(FileName.of(account))
    try await disk.run { [self] () throws(OAuthFailure) in
      guard try stamp(path) != nil else { return forgetUses(account) }
      try remove(path: path)
      forgetUses(account)
    }
  }

  func remove(path: String) throws(OAuthFailure) {
    try checkFolder()
    try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.remove(path, in: folder) }
  }

  /// A temporary file with the key that seals its content.
  private struct File: Sendable {
    let temporary: TemporaryFile
    let key: StoreKey.Key
  }

  /// Creates the temporary file. With `room` it gets disk space for the grant and that many bytes more.
  private func begin(_ grant: Grant, reserving room: Int? = nil) async throws(OAuthFailure) -> File {
    try await withKey { [self] key throws(OAuthFailure) in
      let path = path(of: grant.account)
      let size = try room.map { room throws(OAuthFailure) in try sealed(grant, with: key).count + room }
      return try StorageFailure.of { () throws(PosixFile.Fault) in
        let file = try TemporaryFile(for: path, in: folder)
        if let size { try file.reserve(size) }
        return File(temporary: file, key: key)
      }
    }
  }

  /// Does disk work with the key for a new grant. If another process has moved the key since the request began, loads it first: the tokens of a
  /// sign-in are not lost for that. `rekey` waits for the account's lock, so the key moves at most once meanwhile.
  func withKey<Value: Sendable>(
    _ work: @escaping @Sendable (StoreKey.Key) throws(OAuthFailure) -> Value
  ) async throws(OAuthFailure) -> Value {
    try await key.prepareNew()
    for _ in 0..<2 {
      let done = try await disk.run { [self] () throws(OAuthFailure) -> Value? in
        try makeFolder()
        guard let key = try key.keyForWriting() else { return nil }
        return try work(key)
      }
      if let done { return done }
      await key.prepare(retries: false)
    }
    throw StorageFailure.keyMoved(key.path)
  }

  private func put(_ grant: Grant, into file: File) throws(OAuthFailure) {
    try file.temporary.replace(by: try sealed(grant, with: file.key))
    sweepIfDue(holding: FileName.of(grant.account))
    // The grant is on the disk. Without a stamp, the next read takes it from there.
    if let stamp = try? stamp(file.temporary.target) { cache(StoredGrant(grant, sealedWith: file.key.source), stamp) }
  }

  /// Writes a whole file in the place of another one, or of none.
  func replace(_ path: String, by bytes: [UInt8]) throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in try TemporaryFile(for: path, in: folder) }.replace(by: bytes)
  }

  private func sealed(_ grant: Grant, with key: StoreKey.Key) throws(OAuthFailure) -> [UInt8] {
    guard let sealed = try? SealedGrant.seal(grant, with: key.symmetric, named: key.identifier) else { throw StorageFailure.sealing }
    return sealed
  }

  // MARK: Leftovers

  /// Removes leftovers at most once an hour, the age from which a file counts as one.
  private func sweepIfDue(holding held: String) {
    let now = clock.now
    let isDue = state.withLock { state in
      guard state.swept.map({ now - $0 >= Self.leftoverAge || now < $0 }) ?? true else { return false }
      state.swept = now
      return true
    }
    // The grant is on the disk already, so a folder that cannot be listed is not an error.
    if isDue { try? sweep(holding: held, at: now) }
  }

  /// Removes the temporary files of killed processes and what accounts long signed out have left.
  ///
  /// `held` is the file whose lock the caller holds. Another account's leftovers are removed only if its lock is free.
  /// Failures to remove are ignored, because a leftover does no harm.
  private func sweep(holding held: String, at now: Int) throws(PosixFile.Fault) {
    for name in try PosixFile.names(in: folder) {
      let (target, grant) = (FileName.target(ofTemporary: name), FileName.grant(besides: name))
      let path = "\(folder)/\(name)"
      var status = stat()
      guard target != nil || grant != nil, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
        now - FileStamp(status).seconds > (target == nil ? Self.remainsAge : Self.leftoverAge)
      else { continue }
      if let target, target == held || target == KeyFile.name || isUnlocked(target) { unlink(path) }
      if let grant { removeRemains(path, of: "\(folder)/\(grant)") }
    }
  }

  /// Removes a lock, page or use file of an account without a grant. Only the holder of a file's lock removes it: a process that waits for it then
  /// finds that the path names another file.
  private func removeRemains(_ path: String, of grant: String) {
    guard case .taken(let descriptor)? = try? GrantLock.attempt(path, in: files, creates: false) else { return }
    if access(grant, F_OK) != 0, errno == ENOENT { unlink(path) }
    Descriptors.unlock(descriptor)
  }

  /// Whether no process is changing the account. A lock file that doesn't exist is not held.
  private func isUnlocked(_ target: String) -> Bool {
    do throws(PosixFile.Fault) {
      switch try GrantLock.attempt("\(folder)/\(target).lock", in: files, creates: false) {
      case nil: return true
      case .taken(let descriptor):
        Descriptors.unlock(descriptor)
        return true
      case .held, .replaced: return false
      }
    } catch {
      return false
    }
  }

  /// A new file, for its owner alone, that replaces another file once it is complete. Otherwise it is deleted at deinitialization.
  ///
  /// It keeps its descriptors open. After `reserve`, `replace` needs neither disk space nor another descriptor.
  final class TemporaryFile: Sendable {
    private let name: String
    /// The file that it replaces. Errors name this one, because the other is gone when they are read.
    let target: String
    private let folder: String
    private let descriptor: Int32
    private let folderDescriptor: Int32

    init(for target: String, in folder: String) throws(PosixFile.Fault) {
      let place = try FilePlace(FileName.temporary(for: target), makes: true)
      folderDescriptor = PosixFile.retry { openat(place.folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
      guard folderDescriptor >= 0 else { throw PosixFile.Fault(path: folder, code: errno) }
      do throws(PosixFile.Fault) { descriptor = try place.makeFile(O_WRONLY, target) } catch {
        close(folderDescriptor)
        throw error
      }
      (name, self.target, self.folder) = (place.name, target, folder)
    }

    deinit {
      // After `replace` there is no such file.
      unlinkat(folderDescriptor, name, 0)
      close(descriptor)
      close(folderDescriptor)
    }

    /// Reserves `count` bytes on the disk by writing them. Only a write detects a quota or a failing disk, and every file system supports it.
    func reserve(_ count: Int) throws(PosixFile.Fault) {
      try removingAfterFault { () throws(PosixFile.Fault) in
        try put([UInt8](repeating: 0, count: count))
        try sync(descriptor, target)
      }
    }

    /// Writes the whole content, and replaces the other file in one step. Returns when file and folder are on the disk.
    func replace(by bytes: [UInt8]) throws(OAuthFailure) {
      try StorageFailure.of { () throws(PosixFile.Fault) in
        try removingAfterFault { () throws(PosixFile.Fault) in
          try put(bytes)
          guard PosixFile.retry({ ftruncate(descriptor, off_t(bytes.count)) }) == 0 else {
            throw PosixFile.Fault(path: target, code: errno)
          }
          try sync(descriptor, target)
          guard renameat(folderDescriptor, name, folderDescriptor, String(ProgramFile.name(target))) == 0 else {
            throw PosixFile.Fault(path: target, code: errno)
          }
          try sync(folderDescriptor, folder)
        }
      }
    }

    /// Removes the file at once after a fault, because the process may end before the last use of this object does.
    private func removingAfterFault(_ work: () throws(PosixFile.Fault) -> Void) throws(PosixFile.Fault) {
      do throws(PosixFile.Fault) { try work() } catch {
        unlinkat(folderDescriptor, name, 0)
        throw error
      }
    }

    private func put(_ bytes: [UInt8]) throws(PosixFile.Fault) {
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done, off_t(done)) }
        if count >= 0 { done += count } else if errno != EINTR { throw PosixFile.Fault(path: target, code: errno) }
      }
    }

    private func sync(_ descriptor: Int32, _ path: String) throws(PosixFile.Fault) {
      guard PosixFile.retry({ fsync(descriptor) }) == 0 else { throw PosixFile.Fault(path: path, code: errno) }
    }
  }
}
