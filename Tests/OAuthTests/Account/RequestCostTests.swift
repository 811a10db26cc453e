import Jansson
import Synchronization
import TestSupport
import Testing

@testable import OAuth
@testable import OAuthCore
@testable import Platform
@testable import Store

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A request reads its grant once and its provider once. A change under the account's lock reads the grant again.
struct RequestCostTests {
  /// A store that counts how often it is read.
  private struct CountingStore: AccountStore {
    let store = MemoryStore()
    let reads = EventCount()

    func find(_ account: String) -> StoredGrant? {
      reads.add()
      return store.find(account)
    }
    func write(_ grant: Grant) throws(OAuthFailure) { try store.write(grant) }
    func remove(_ account: String) { store.remove(account) }
    func list() -> [ListedAccount] { store.list() }
    func makeReady() throws(OAuthFailure) { try store.makeReady() }
    func watch(_ onChange: @escaping @Sendable (_ account: String?) -> Void) { store.watch(onChange) }
    func lock(_ account: String) async throws -> GrantLock { try await store.lock(account) }
  }

  private let store = CountingStore()
  private let server = PreparedResponses()
  private let folder: TemporaryFolder
  private let stage: Stage

  init() throws {
    folder = try TemporaryFolder()
    _ = folder.write("mine.json", JSON.object(Stage.provider).text)
    stage = Stage(server, store: store, catalog: ProviderCatalog.builtIn.adding(ProviderFiles(folder: folder.path)))
  }

  private var request: AuthorizationInput {
    var request = Stage.request()
    request.provider = .preset("mine")
    return request
  }

  /// Stores a grant of the provider in the file, which has been compared with the file once.
  private func keep(expiresIn: Int = 3600) async throws {
    let provider = try stage.accounts.dependencies.catalog.resolve(.preset("mine"))
    try await stage.keep(expiresIn: expiresIn) { ($0.provider, $0.providerReference) = (provider.source, "mine") }
    _ = try stage.accounts.grant("a")
  }

  /// Returns how often the store is read for `work`.
  private func reads<Value>(_ work: () async throws -> Value) async throws -> (count: Int, value: Value) {
    let before = store.reads.value
    let value = try await work()
    return (store.reads.value - before, value)
  }

  @Test func authorizeReadsOnce() async throws {
    try await keep()
    let (count, authorization) = try await reads { try await stage.accounts.authorize(request) }
    #expect(count == 1 && authorization.via == .stored)
  }

  @Test func callAPIReadsOnce() async throws {
    try await keep()
    server.add(body: "{}")
    let call = APICall(
      accounts: stage.accounts, request: APIRequest(account: "a", url: "https://api.example/v1/x"), onProgress: { _ in true })
    let (count, response) = try await reads { try await call.run() }
    #expect(count == 1 && response.status == 200)
  }

  @Test func refreshReadsOnceAndUnderItsLock() async throws {
    try await keep()
    server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
    let (count, outcome) = try await reads { try await stage.accounts.refresh("a", force: true, requestID: nil) }
    // The caller's read, the one under the lock, and the one after the exchange.
    #expect(count == 3 && outcome.refreshed)
  }

  @Test func addScopesReadsOnce() async throws {
    try await keep()
    let (count, authorization) = try await reads { try await stage.accounts.addScopes(request) }
    #expect(count == 1 && authorization.via == .stored)
  }

  @Test func importGrantReadsOnceAndUnderItsLock() async throws {
    var imported = ImportedGrant()
    (imported.accessToken, imported.tokenType) = (Secret("t"), "Bearer")
    let new = imported
    let (count, grant) = try await reads { try await stage.accounts.importGrant(new, for: request, replaces: false) }
    #expect(count == 2 && grant.accessToken == Secret("t"))
  }

  #if canImport(Glibc)
    /// Counts how often the provider's file is opened while `work` runs.
    private func opened(_ work: () async throws -> Void) async throws -> Int {
      let watch = inotify_init1(Int32(IN_NONBLOCK))
      defer { close(watch) }
      inotify_add_watch(watch, folder.path + "/mine.json", UInt32(IN_OPEN))
      try await work()
      var events = [UInt8](repeating: 0, count: 4096)
      // An event of a watched file has no name: it is only the header of 16 bytes.
      return max(0, read(watch, &events, events.count)) / 16
    }

    @Test func theProvidersFileIsReadOnce() async throws {
      try await keep()
      let authorized = try await opened { _ = try await stage.accounts.authorize(request) }
      let added = try await opened { _ = try await stage.accounts.addScopes(request) }
      #expect(authorized == 1 && added == 1)
      server.add(body: #"{"access_token":"access-2","expires_in":3600}"#)
      let refreshed = try await opened { _ = try await stage.accounts.refresh("a", force: true, requestID: nil) }
      #expect(refreshed == 0)
    }
  #endif
}
