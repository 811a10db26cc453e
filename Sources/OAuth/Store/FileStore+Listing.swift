import Dispatch
import Synchronization

extension FileStore {
  /// Files that one thread reads in a row: few enough for all threads to have work, many enough for handing out to cost nothing.
  private static let batch = 256

  package func accounts() throws(OAuthFailure) -> [String] { try look().map(\.account) }

  package func list() async throws(OAuthFailure) -> [ListedGrant] {
    try await onDisk { [self] () throws(OAuthFailure) in try look() }
  }

  /// Looks at every grant file once, on several threads, and moves none: a damaged file is set aside when its account is used.
  private func look() throws(OAuthFailure) -> [ListedGrant] {
    try checkFolder()
    let all = try StorageFailure.of { () throws(PosixFile.Fault) in try PosixFile.names(in: folder) }
    let names = all.filter { $0.hasSuffix(FileName.suffix) }
    let batches = (names.count + Self.batch - 1) / Self.batch
    let found = Mutex<[ListedGrant]>([])
    DispatchQueue.concurrentPerform(iterations: batches) { index in
      let part = names[index * Self.batch..<min(names.count, (index + 1) * Self.batch)].compactMap(look)
      found.withLock { $0 += part }
    }
    let present = Set(names)
    listed.withLock { listed in
      for name in listed.keys where !present.contains(name) { listed[name] = nil }
    }
    return found.withLock { $0 }.sorted { $0.account < $1.account }
  }

  /// nil where the file has gone meanwhile.
  private func look(at name: String) -> ListedGrant? {
    let path = "\(folder)/\(name)"
    do throws(OAuthFailure) {
      guard let stamp = try stamp(path) else { return nil }
      if let known = listed.withLock({ $0[name] }), known.stamp == stamp { return ListedGrant(known.grant) }
      do throws(Unreadable) {
        guard let grant = try load(path) else { return nil }
        guard FileName.of(grant.account) == name else { throw .damaged }
        let outline = StoredGrant(grant.outline)
        listed.withLock { $0[name] = Cached(stamp: stamp, grant: outline) }
        return ListedGrant(outline)
      } catch {
        switch error {
        case .stays(let failure): throw failure
        case .damaged: throw StorageFailure.damaged(path)
        }
      }
    } catch {
      return ListedGrant(account: FileName.account(of: name), problem: error)
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
