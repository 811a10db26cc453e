import OAuthCore
import Platform

/// The activities of an open sign-in.
extension SignIn {
  /// Starts the activities of an open sign-in: the deadline, polling if the protocol needs it, and reading the account's grant.
  /// The grant is read because the user may sign in with another program.
  func begin() {
    userCodeExpiresAt = exchange.lifetime.map { dependencies.clock.now + $0 }
    startPage()
    if plan.request.interaction != .always {
      let hasChanged = dependencies.store.changes(of: plan.account)
      // Another process's page is closed without a trace in the store.
      let isDue: @Sendable () -> Bool = { [weak self] in hasChanged() || self?.heldBack.load(ordering: .relaxed) == true }
      watching.append(
        Task { [weak self, look = dependencies.pollUntil] in
          while (try? await look(isDue)) != nil, await self?.findsNoGrant() == true { await self?.takeTurn() }
        })
    }
    guard let questions = exchange.polling else { return }
    watching.append(
      Task { [weak self] in
        let result: Result<TokenResponse, any Error>
        do {
          result = .success(try await questions.tokens())
        } catch {
          result = .failure(error)
        }
        await self?.take(result)
      })
  }

  /// Starts the lifetime of the exchange's page and the deadline of the sign-in.
  func startPage() {
    let now = dependencies.clock.now
    pageEnd = exchange.pageLifetime.map { now + $0 }
    endsAt = min(now + plan.request.timeout, userCodeExpiresAt ?? .max)
    startDeadline(plan.request.timeout)
  }

  /// Adds a request to the sign-in and asks for the page again. Returns false if the sign-in has just ended.
  func join(_ request: AuthorizationPlan.Request) async throws -> Bool {
    try await freshenPage()
    if case .exchanging(let exchange) = state, exchange.stopped != nil { await exchange.conclusion.value }
    if case .ended = state {
      await waitForEnd()
      return false
    }
    requests.withLock { $0.append(request.waits) }
    guard isOpen else { return true }
    let end = min(dependencies.clock.now + request.timeout, userCodeExpiresAt ?? .max)
    if end > endsAt {
      endsAt = end
      startDeadline(request.timeout)
    }
    currentPage.withLock { $0.prompt.expiresAt = max($0.prompt.expiresAt, min(end, pageEnd ?? .max)) }
    await ask(for: request)
    return true
  }

  /// Replaces a page that can no longer be opened. A page that the user opened before stays valid.
  func freshenPage() async throws {
    guard isOpen, let pageEnd, dependencies.clock.now >= pageEnd, let fresh = try await exchange.withFreshPage(), isOpen else { return }
    let end = dependencies.clock.now + (fresh.pageLifetime ?? 0)
    self.pageEnd = fresh.pageLifetime.map { _ in end }
    currentPage.withLock { page in
      page.exchange = fresh
      page.prompt.url = fresh.url
      page.prompt.expiresAt = min(endsAt, self.pageEnd ?? .max)
    }
  }

  /// Ends the sign-in if another program has made the account usable. Returns false if no further check is needed.
  func findsNoGrant() -> Bool {
    guard case .waiting = state else { return false }
    do throws(OAuthFailure) {
      let stored = try dependencies.store.read(plan.account)?.described(by: dependencies.catalog)
      guard let grant = stored, plan.isMet(by: grant, at: dependencies.clock.instant) else { return true }
      deadline?.cancel()
      end(.success(grant), via: .stored)
    } catch {
      dependencies.emit(event(.failed(error.of(plan.account))))
    }
    return false
  }

  /// Takes the result of polling. Ignores it if the sign-in is no longer open.
  func take(_ result: Result<TokenResponse, any Error>) async {
    guard isOpen else { return }
    if case .failure(let failure as OAuthFailure) = result, failure.kind == .timedOut {
      return await abandon("timedOut", failure)
    }
    // The sign-in reports the result when it ends.
    _ = try? await conclude { try await $0.conclude(result.get()) }
  }

  /// Ends the sign-in after `timeout` seconds, or when the code expires.
  func startDeadline(_ timeout: Int) {
    deadline?.cancel()
    let left = userCodeExpiresAt.map { $0 - dependencies.clock.now }
    deadline = Task { [weak self, clock = dependencies.clock, lifetime = exchange.lifetime] in
      guard (try? await clock.sleep(seconds: min(timeout, left ?? timeout))) != nil else { return }
      await self?.expire(Self.timedOut(timeout, left.flatMap { $0 < timeout ? lifetime : nil }))
    }
  }

  /// A request with a longer timeout may have joined just now.
  func expire(_ failure: OAuthFailure) async {
    if !Task.isCancelled { await abandon("timedOut", failure) }
  }
}
