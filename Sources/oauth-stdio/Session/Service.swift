import JSONRPC
import Jansson
import OAuth
import OAuthCore
import Platform
import Synchronization

/// The context of every method: the accounts and the session.
final class Service: Sendable {
  let accounts: Accounts
  let catalog: ProviderCatalog
  let configuration: ConfigurationFile
  let configuredNames: ConfiguredNames
  let notifier: Notifier
  let output: Output
  let calls: Calls
  let lifecycle: Lifecycle
  let log: Log
  let ending: ShutdownSequence
  /// Whether the user who started the process allows the export of whole grants.
  let allowsExport: Bool
  /// Set by `initialize` when the client opens pages itself.
  let clientOpensPages: Atomic<Bool>

  init(
    accounts: Accounts, catalog: ProviderCatalog, configuration: ConfigurationFile, notifier: Notifier, output: Output, calls: Calls,
    lifecycle: Lifecycle, log: Log, ending: ShutdownSequence, allowsExport: Bool
  ) {
    self.accounts = accounts
    self.catalog = catalog
    self.configuration = configuration
    configuredNames = ConfiguredNames(configuration)
    self.notifier = notifier
    self.output = output
    self.calls = calls
    self.lifecycle = lifecycle
    self.log = log
    self.ending = ending
    self.allowsExport = allowsExport
    clientOpensPages = Atomic(false)
  }

  /// Runs a call's work and reports its failure as an event, unless the sign-in has reported it. A failed notification has no other answer.
  func reportingFailure<Value>(_ call: Call, _ account: String?, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let failure as OAuthFailure {
      // A call that the client cancelled has not failed.
      if Task.isCancelled { throw failure }
      notifier.notify(ErrorOccured(failure, account: failure.account ?? account, request: call.id?.json))
      throw OAuthFailure.Reported(failure)
    }
  }

  /// Reports a failed notification, because it gets no answer. Unknown notifications that LSP and MCP let a server ignore are not reported.
  @Sendable func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError) {
    log.debug("a notification was rejected: \(shown.message)")
    if error is OAuthFailure.Reported { return }
    if let failure = error as? OAuthFailure {
      notifier.notify(ErrorOccured(failure, account: failure.account, request: nil))
    } else if shown.code != RPCError.methodNotFoundCode || !["$/", "notifications/"].contains(where: method.hasPrefix) {
      notifier.notify(ErrorOccured(rejecting: shown))
    }
  }

  /// The provider and variables in the params.
  typealias Given = (provider: ProviderReference?, variables: NamedValues<String>?)

  /// Resolves the provider. A fault in the params is reported for the params, any other fault for the configuration.
  @discardableResult func resolve(
    _ provider: ProviderReference, _ variables: NamedValues<String>, given: Given, for account: String? = nil
  ) throws -> Provider {
    do throws(OAuthFailure) {
      return try accounts.resolve(provider, variables, for: account)
    } catch {
      if given.provider != nil, let fault = Self.paramsFault(error, at: "/provider") { throw fault }
      for name in given.variables?.pairs.map(\.name) ?? [] {
        if let fault = Self.paramsFault(error, at: ObjectReader.pointer(to: name, in: "/variables")) { throw fault }
      }
      throw error
    }
  }

  /// Discovers the provider from its URL.
  func discover(_ provider: ProviderReference, _ variables: NamedValues<String>, for request: AuthorizationInput = .init()) async throws {
    do {
      try await accounts.discover(
        provider, variables, for: request.account, mayBeAsked: request.interaction != .never || request.flow == .clientCredentials,
        in: request.timeout)
    } catch let failure as OAuthFailure where failure.kind == .configurationInvalid {
      // `resolve` reports this fault later, for the params or the configuration that caused it.
    }
  }

  /// Checks the provider that the params name, if any.
  ///
  /// If the caller replaces the configured provider, only the configured variables that the new provider uses are kept.
  func check(_ request: inout AuthorizationInput, given: Given) async throws {
    guard let named = request.provider else { return }
    let deadline = Deadline(in: request.timeout, accounts.clock)
    try await discover(named, request.variables, for: request)
    request.timeout = max(1, deadline.left)
    guard given.provider != nil || given.variables != nil else { return }
    if given.provider != nil {
      let unknown = catalog.unknownNames(of: request.variables, for: named).filter { given.variables?[$0] == nil }
      request.variables.pairs.removeAll { unknown.contains($0.name) }
    }
    try resolve(named, request.variables, given: given, for: request.account)
  }

  /// Returns the failure as an error of the params if it is about the member at `path`.
  static func paramsFault(_ failure: OAuthFailure, at path: String) -> RPCError? {
    guard failure.kind == .configurationInvalid, case .string(let found)? = failure["path"], found.hasPrefix(path) else { return nil }
    return RPCError(code: -32602, message: failure.message, data: .object(failure.details))
  }
}
