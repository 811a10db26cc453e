import Jansson
import Loopback
import OAuth
import OAuthCore
import Plans
import Platform
import Store

/// Finds out why an account's sign-in fails: goes through it like `authorize`, up to the page that the user would open.
struct AccountDiagnosis {
  /// In seconds. Servers accept this difference of clocks.
  private static let tolerance = 60
  /// A port for the redirect URI of providers that accept any. No port is opened.
  private static let anyPort = 49_152

  let plan: AuthorizationPlan
  let provider: Provider
  let dependencies: Dependencies
  /// Reads what the configuration has for a request without a user.
  private let call: @Sendable () async throws -> ClientCall
  /// When the last look must have ended. The user waits, and a silent server is what the user wants to know about.
  private let deadline: Clock.Deadline
  private(set) var findings: [Finding] = []
  private var hasComparedClocks = false

  init(
    _ plan: AuthorizationPlan, _ dependencies: Dependencies, until deadline: Clock.Deadline,
    call: @escaping @Sendable () async throws -> ClientCall
  ) throws {
    (self.plan, self.dependencies, self.deadline, self.call) = (plan.ofRegisteredClient, dependencies, deadline, call)
    provider = try self.plan.provider.filled(with: .init(), client: plan.client)
  }

  mutating func run() async {
    addProvider()
    addSources()
    await compareWithMetadata()
    let redirectUri = addRedirect()
    if plan.isUnregistered {
      add("client", .ok, "the process registers a client of its own at the first sign-in")
    } else {
      await tryClient(redirectUri)
      if let redirectUri, !plan.usesDevice, !plan.isForClient { await tryPage(redirectUri) }
    }
    if provider.protocolName == .oauth1 { await addBaseString(redirectUri) }
  }

  mutating func add(_ check: String, _ state: Finding.State, _ message: String, advice: String? = nil) {
    // Several checks may fail for one reason.
    if state == .failed { findings.removeAll { $0.message == message } }
    findings.append(Finding(check, state, message, advice: advice))
  }

  /// Returns the result of a check of the URL's host. Throws `timedOut` after half of the whole time, which leaves time for another check.
  func look<Value: Sendable>(at url: String?, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let seconds = max(1, min(deadline.seconds / 2, deadline.left))
    if let value = try await dependencies.clock.withTimeout(seconds, work) { return value }
    let host = url.flatMap { try? URLParts($0) }?.hostAndPort ?? provider.name
    throw OAuthFailure(.timedOut, "\(host) did not answer within \(seconds) s", details: [.init("host", .string(host))], isRetryable: true)
  }

  /// Whether no time is left for another check. The finding says so.
  private mutating func isTooLate(for check: String) -> Bool {
    if deadline.left > 0 { return false }
    add(check, .warning, "not checked, because the time limit was reached")
    return true
  }

  mutating func addProvider() {
    func host(_ endpoint: String?) -> String? { endpoint.flatMap { try? URLParts($0).hostAndPort } }
    let hosts = [
      ("the authorization page is at", host(provider.authorizationEndpoint)), ("tokens come from", host(provider.tokenEndpoint)),
      ("device codes come from", plan.usesDevice ? host(provider.deviceAuthorizationEndpoint) : nil),
    ].compactMap { text, host in host.map { "\(text) \($0)" } }
    let preset = provider.preset.map { ", preset \($0)" } ?? ""
    add("provider", .ok, "\(provider.name) (\(provider.protocolName.rawValue)\(preset)): \(hosts.joined(separator: ", "))")
  }

  // MARK: The redirect and the client

  /// Returns the redirect URI of a trial; nil if the sign-in has no redirect.
  mutating func addRedirect() -> String? {
    if plan.isForClient || plan.usesDevice { return nil }
    do throws(OAuthFailure) {
      let (found, written) = try AuthorizationInput.RedirectChoice.address(
        plan.request.redirectUri, plan.provider, isRegistering: plan.registersClient, listen: plan.request.listen)
      let address = found.map(plan.preferringRegisteredPort)
      let uri =
        written
        ?? address.map { "http://\($0.host.rawValue):\($0.ports.first.flatMap { $0 == 0 ? nil : Int($0) } ?? Self.anyPort)\($0.path)" }
      let isAny = written == nil && address?.ports == [0]
      let shown = isAny ? uri?.replacing(":\(Self.anyPort)", with: "") : uri
      add(
        "redirect", .ok, "the process sends the redirect URI \(shown ?? "")\(isAny ? ", with any free port" : "")",
        advice: plan.registersClient || plan.stored != nil
          ? nil
          : "register this URI at \(plan.provider.shownRegistrationPage ?? "the provider")\(isAny ? ", without a port if it allows that" : "")"
      )
      if let address { addPort(address) }
      if let address, !address.isLocal { add("listen", .warning, LogMessage.redirectInClear(address.name).text) }
      return uri
    } catch {
      add("redirect", .failed, error.message)
      return nil
    }
  }

  /// Looks whether another program holds the registered port.
  private mutating func addPort(_ address: LoopbackAddress) {
    do throws(LoopbackListener.Failure) {
      let ports = RegisteredPort.All(clock: dependencies.clock, notes: dependencies.notes, log: dependencies.logSink)
      for registered in try ports.enter(address)?.entered ?? [] { registered.leave(isEnding: true) }
    } catch {
      add("port", .failed, error.failure.message, advice: "end that program, or take another port for the redirect URI or for listen")
    }
  }

  /// Exchanges a made-up code. The error shows whether the provider accepts the client (RFC 6749, 5.2).
  private mutating func tryClient(_ redirectUri: String?) async {
    guard provider.protocolName == .oauth2, provider.tokenEndpoint != nil, !isTooLate(for: "client") else { return }
    // A new token may end the one in use.
    guard !plan.isForClient || !dependencies.limits.isReadOnly else {
      return add("client", .warning, "the client was not tried: --read-only does not allow a sign-in")
    }
    let code = TokenRequest.code(
      Secret("a-code-that-does-not-exist"), redirectUri: redirectUri ?? "http://127.0.0.1/callback",
      verifier: plan.provider.request.pkce == .off ? nil : Secret(String(repeating: "a", count: 43)))
    do {
      _ = try await look(at: provider.tokenEndpoint) { [provider, plan, dependencies, call] in
        guard plan.isForClient else { return try await TokenEndpoint(provider, plan.client, for: plan.account, dependencies).ask(code) }
        let parameters = plan.request.parameters
        return try await call().ask(scopes: plan.scopes, parameters, provider, plan.client, for: plan.account, dependencies)
      }
      add("client", .ok, "the provider issues tokens to the client")
    } catch let failure as OAuthFailure {
      switch failure["error"]?.string {
      case "invalid_client", "unauthorized_client", "incorrect_client_credentials":
        add("client", .failed, failure.message, advice: clientAdvice("the client's ID and secret, or its key,"))
      case nil where failure.kind == .networkFailure || failure.kind == .timedOut || failure.kind == .hostNotAllowed:
        add("network", .failed, failure.message, advice: failure.networkAdvice)
      case let code? where !plan.isForClient:
        add("client", .ok, "the provider does not reject the client: it answers a made-up code with \(code)")
      case .some:
        add("client", .failed, failure.message, advice: clientAdvice("the scopes and the client's grant types"))
      case nil:
        let other = failure.account.flatMap { $0 == plan.account ? nil : "the account \($0.plain): " } ?? ""
        add("client", plan.isForClient ? .failed : .warning, other + failure.message)
      }
    } catch {
      add("client", .failed, "the client could not be tried")
    }
  }

  /// What to do about a rejected client. No page of the provider shows one that registered itself.
  private func clientAdvice(_ compared: String) -> String {
    if plan.registersClient { return "delete the account with logout and sign in again: that registers another client" }
    return "compare \(compared) with the provider's page\(plan.provider.shownRegistrationPage.map { ", \($0)" } ?? "")"
  }

  /// Opens the authorization page without a user. Many providers reject a wrong redirect URI, client or scope at once.
  private mutating func tryPage(_ redirectUri: String) async {
    if isTooLate(for: "page") { return }
    do {
      let own = dependencies.inMemory(dependencies.http, dependencies.random)
      let page = try await look(at: provider.pushedAuthorizationRequestEndpoint ?? provider.oauth1.requestTokenEndpoint) { [plan] in
        try await plan.page(redirectUri: redirectUri, dependencies: own)
      }
      let request = HTTPRequest(method: "GET", url: page, headers: [HTTPHeader("Accept", "text/html")])
      let response = try await look(at: page) { [dependencies, provider] in try await dependencies.http.exchange(request, to: provider)
      }
      let host = (try? URLParts(page).host) ?? provider.name
      compareClocks(response, host)
      addPage(response, host, redirectUri)
    } catch let failure as OAuthFailure {
      let isReachable = ![.networkFailure, .timedOut, .hostNotAllowed].contains(failure.kind)
      add(isReachable ? "page" : "network", .failed, failure.message, advice: failure.networkAdvice)
    } catch let fault as FieldError {
      add("page", .failed, fault.message)
    } catch {
      add("page", .failed, "the page could not be tried")
    }
  }

  private mutating func addPage(_ response: HTTPResponse, _ host: String, _ redirectUri: String) {
    let advice = clientAdvice("the client's ID, the redirect URI and the scopes")
    let target = response.header("Location") ?? ""
    let parameters = (try? URLParts(target).query).flatMap(\.self).map { FormEncoding.decodeLeniently($0) } ?? []
    if target.hasPrefix(redirectUri), let error = parameters.first(where: { $0.0 == "error" })?.1 {
      let hidden = Redaction([], client: plan.client, provider: provider)
      let description = parameters.first { $0.0 == "error_description" }.map { ": \($0.1)" } ?? ""
      return add("page", .failed, "\(host) rejects the request with \(hidden.clean(error + description))", advice: advice)
    }
    let isError = response.status >= 400
    add(
      "page", isError ? .warning : .ok, "\(host) answers the request for the page with status \(response.status)",
      advice: isError ? advice : nil)
  }

  // MARK: Clock and signature

  mutating func compareClocks(_ response: HTTPResponse, _ host: String) {
    let now = dependencies.clock.now
    guard !hasComparedClocks, let text = response.headers.first(where: { $0.name.lowercased() == "date" })?.value,
      let date = HTTPDate(text)
    else { return }
    hasComparedClocks = true
    let ahead = now - Int(date.unixSeconds)
    guard abs(ahead) > Self.tolerance else { return add("clock", .ok, "this machine's clock agrees with that of \(host)") }
    add(
      "clock", .failed, "this machine's clock is \(abs(ahead)) s \(ahead > 0 ? "ahead of" : "behind") that of \(host)",
      advice: "set the clock: signatures and ID tokens are valid for a short time only")
  }

  /// Adds what the first request signs (RFC 5849, 3.4.1), to compare it with the provider's own.
  mutating func addBaseString(_ redirectUri: String?) async {
    let uri = redirectUri ?? AuthorizationInput.RedirectChoice.outOfBand
    guard let run = try? await DryRun.of(plan, redirectUri: uri, dependencies: dependencies),
      let text = run.steps.lazy.compactMap(\.baseString).first
    else { return }
    add("baseString", .ok, text)
  }

  // MARK: Words

  static func list(_ words: [String]) -> String { words.map { Redaction.none.clean($0) }.joined(separator: ", ") }
}
