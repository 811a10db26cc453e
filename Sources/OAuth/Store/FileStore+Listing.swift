#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Fewer files than these are not worth another thread.
  private static let leastPart = 256

  package func accounts() throws(OAuthFailure) -> [String] {
    look(at: try grantFiles()[...], [:]).map(\.grant.account).sorted()
  }

  /// Looks at every grant file once, on several threads, and moves none: a damaged file is set aside when its account is used.
  package func list() async throws(OAuthFailure) -> [ListedGrant] {
    let names = try await onDisk { [self] () throws(OAuthFailure) in try grantFiles() }
    // As many parts as there are cores: opening a file is work for the processor more than for the disk.
    let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let size = max(Self.leastPart, (names.count + cores - 1) / cores)
    let known = listed.withLock { $0 }
    let found = await withTaskGroup(of: [Looked].self) { group in
      for start in stride(from: 0, to: names.count, by: size) {
        group.addTask { [disk] in await disk.run { self.look(at: names[start..<min(names.count, start + size)], known) } }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    if found.count != known.count || found.contains(where: \.isNew) {
      let cached = Dictionary(uniqueKeysWithValues: found.compactMap { look in look.cached.map { (look.name, $0) } })
      listed.withLock { $0 = cached }
    }
    return found.map(\.grant).sorted { $0.account < $1.account }
  }

  private func grantFiles() throws(OAuthFailure) -> [String] {
    try checkFolder()
    return try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }.filter { $0.hasSuffix(FileName.suffix) }
  }

  private struct Looked {
    let name: String
    let grant: ListedGrant
    /// nil where the file cannot be read.
    var cached: Cached?
    /// Whether the file is another one than at the last listing.
    var isNew = true
  }

  /// Files that have gone meanwhile are left out. Each is looked at from the open folder: with whole paths a listing of 10,000 grants took 77 ms of the
  /// processor, and takes 66 ms.
  private func look(at names: ArraySlice<String>, _ known: [String: Cached]) -> [Looked] {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(descriptor) }
    return names.compactMap { look(at: $0, in: descriptor, known[$0]) }
  }

  private func look(at name: String, in descriptor: Int32, _ known: Cached?) -> Looked? {
    let path = "\(folder)/\(name)"
    do throws(OAuthFailure) {
      let found = try StorageFailure.of { () throws(PosixFile.Fault) in try FileStamp.of(name, in: descriptor) }
      guard let stamp = found else { return nil }
      if let known, known.stamp == stamp { return Looked(name: name, grant: ListedGrant(known.grant), cached: known, isNew: false) }
      do throws(Unreadable) {
        guard let grant = try load(path) else { return nil }
        guard FileName.of(grant.account) == name else { throw .damaged }
        let outline = StoredGrant(grant.outline)
        return Looked(name: name, grant: ListedGrant(outline), cached: Cached(stamp: stamp, grant: outline))
      } catch {
        switch error {
        case .stays(let failure): throw failure
        case .damaged: throw StorageFailure.damaged(path)
        }
      }
    } catch {
      return Looked(name: name, grant: ListedGrant(account: FileName.account(of: name), problem: error))
    }
  }
}

/// An account as a listing has it: its grant, or why the grant cannot be read.
package struct ListedGrant: Sendable {
  package let account: String
  package let grant: StoredGrant?
  package let problem: OAuthFailure?

  init(_ grant: StoredGrant) { (account, self.grant, problem) = (grant.grant.account, grant, nil) }

  init(account: String, problem: OAuthFailure) { (self.account, grant, self.problem) = (account, nil, problem.of(account)) }
}

extension Grant {
  /// The grant without the objects of its provider's description, which no account's state tells: a listing keeps thousands of them in memory.
  fileprivate var outline: Grant {
    var outline = self
    outline.provider = .object(
      (provider.members ?? []).filter { member in
        switch member.value {
        case .object, .array: false
        default: true
        }
      })
    (outline.providerReference, outline.idToken) = (nil, nil)
    return outline
  }
}
