import OAuthCore
import Platform

/// What is stored of accounts' sign-ins, sealed beside their grants. Another process goes on with an open one of a process that was ended.
extension FileStore {
  package func keep(signIns: [UInt8]?, of account: String) async throws(OAuthFailure) {
    let path = path(of: account) + FileName.signInSuffix
    guard let signIns else {
      return try await disk.run { [self] () throws(OAuthFailure) in try remove(path: path) }
    }
    try await withKey { [self] key throws(OAuthFailure) in
      guard let sealed = try? SealedGrant.seal(signIns, of: account, with: key.symmetric) else { throw StorageFailure.sealing }
      try replace(path, by: sealed)
    }
  }

  package func signIns(of account: String) async -> [UInt8]? {
    await key.prepare(retries: false)
    guard let file = try? files.read(path(of: account) + FileName.signInSuffix, limit: Self.sizeLimit)?.bytes else { return nil }
    return (try? key.keys())?.lazy.compactMap { SealedGrant.text(of: file, account, with: $0.symmetric) }.first
  }
}
