import JSONRPC
import Jansson
import OAuth
import Synchronization

/// What methods work with: the accounts, and the session that they are called in.
final class Service: Sendable {
  let accounts: Accounts
  let presets: Presets
  let configuration: ConfigurationFile
  let configuredNames: ConfiguredNames
  let notifier: Notifier
  let output: Output
  let calls: Calls
  let lifecycle: Lifecycle
  let log: Log
  let ending: Ending
  /// Whether grants may be given out whole, as the user who started the process decided.
  let allowsExport: Bool
  /// Set by `initialize` when the client opens pages itself.
  let clientOpensPages: Atomic<Bool>

  init(
    accounts: Accounts, presets: Presets, configuration: ConfigurationFile, notifier: Notifier, output: Output, calls: Calls,
    lifecycle: Lifecycle, log: Log, ending: Ending, allowsExport: Bool
  ) {
    self.accounts = accounts
    self.presets = presets
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

  /// Does a call's work and tells its failure as an event, unless the sign-in has told it already; a notification has no other way to learn it.
  func telling<Value>(_ call: Call, _ account: String?, _ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch var failure as OAuthFailure {
      // What the client cancelled has not failed.
      if !failure.wasTold, !Task.isCancelled {
        notifier.notify(ErrorOccured(failure, account: failure.account ?? account, request: call.id?.json))
        failure.wasTold = true
      }
      throw failure
    }
  }

  /// Tells of a notification that failed: no answer does. One that LSP and MCP let a server ignore is no fault of the client's.
  @Sendable func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError) {
    log.debug("a notification was rejected: \(shown.message)")
    if let failure = error as? OAuthFailure {
      if !failure.wasTold { notifier.notify(ErrorOccured(failure, account: failure.account, request: nil)) }
    } else if shown.code != RPCError.methodNotFoundCode || !["$/", "notifications/"].contains(where: method.hasPrefix) {
      notifier.notify(ErrorOccured(rejecting: shown))
    }
  }

  /// What params say of a provider.
  typealias Given = (provider: ProviderReference?, variables: NamedValues<String>?)

  /// The provider that is meant. What the params name wrongly is their fault, what stands in the configuration is the configuration's.
  @discardableResult func resolve(
    _ provider: ProviderReference, _ variables: NamedValues<String>, given: Given, for account: String? = nil
  ) throws -> Provider {
    do throws(OAuthFailure) {
      return try accounts.resolve(provider, variables, for: account)
    } catch {
      if given.provider != nil, let fault = Self.paramsFault(error, at: "/provider") { throw fault }
      for name in given.variables?.pairs.map(\.name) ?? [] {
        if let fault = Self.paramsFault(error, at: Fields.pointer(to: name, in: "/variables")) { throw fault }
      }
      throw error
    }
  }

  /// Looks behind the URL that a provider is to be discovered from.
  func discover(_ provider: ProviderReference, _ variables: NamedValues<String>, for request: AuthorizeRequest = .init()) async throws {
    do {
      try await accounts.discover(
        provider, variables, for: request.account, mayBeAsked: request.interaction != .never || request.flow == .clientCredentials,
        in: request.timeout)
    } catch let failure as OAuthFailure where failure.kind == .configurationInvalid {
      // What is wrong with what was said of it is told when it is resolved, in the words of who said it.
    }
  }

  /// Looks at what the params say of the provider, if anything.
  ///
  /// Of the account's configured variables only those stay that the provider has which a caller names in the place of the configured one.
  func check(_ request: inout AuthorizeRequest, given: Given) async throws {
    guard let named = request.provider else { return }
    let start = ContinuousClock.now
    try await discover(named, request.variables, for: request)
    request.timeout = max(1, request.timeout - Int(start.duration(to: .now).components.seconds))
    guard given.provider != nil || given.variables != nil else { return }
    if given.provider != nil {
      let unknown = presets.unknownNames(of: request.variables, for: named).filter { given.variables?[$0] == nil }
      request.variables.pairs.removeAll { unknown.contains($0.name) }
    }
    try resolve(named, request.variables, given: given, for: request.account)
  }

  /// The failure as one of the params, when it is about the member at `path` and that came with the params.
  static func paramsFault(_ failure: OAuthFailure, at path: String) -> RPCError? {
    guard failure.kind == .configurationInvalid, case .string(let found)? = failure["path"], found.hasPrefix(path) else { return nil }
    return RPCError(code: -32602, message: failure.message, data: .object(failure.details))
  }
}
