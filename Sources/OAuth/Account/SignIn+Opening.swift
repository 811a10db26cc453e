/// What goes on while a sign-in is open.
extension SignIn {
  /// Begins what goes on while the sign-in is open: its time runs, the provider is asked where that is the protocol's way, and the account's grant is
  /// looked at, since somebody may sign in with another program.
  func begin() {
    codeEnd = exchange.lifetime.map { surroundings.clock() + $0 }
    startPage()
    if setup.request.interaction != .always {
      let hasNews = surroundings.store.news(of: setup.account)
      // Another process's page is closed without a trace in the store.
      let isDue: @Sendable () -> Bool = { [weak self] in hasNews() || self?.heldBack.load(ordering: .relaxed) == true }
      watching.append(
        Task { [weak self, look = surroundings.nextLook] in
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

  /// Begins the time of the exchange's page, and that of the sign-in.
  func startPage() {
    let now = surroundings.clock()
    pageEnd = exchange.pageLifetime.map { now + $0 }
    givenUpAt = min(now + setup.request.timeout, codeEnd ?? .max)
    startDeadline(setup.request.timeout)
  }

  /// Takes one more request along and asks for the page once more; false when the sign-in has just ended.
  func join(_ request: AuthorizeRequest) async throws -> Bool {
    try await freshenPage()
    if case .over = phase {
      await ending?.value
      return false
    }
    if stopped != nil {
      await conclusion?.value
      await ending?.value
      return false
    }
    company.enter(request)
    guard case .open = phase else { return true }
    let end = min(surroundings.clock() + request.timeout, codeEnd ?? .max)
    if end > givenUpAt {
      givenUpAt = end
      startDeadline(request.timeout)
    }
    round.withLock { $0.prompt.expiresAt = max($0.prompt.expiresAt, min(end, pageEnd ?? .max)) }
    await ask(for: request)
    return true
  }

  /// Replaces a page that can no longer be opened; one that the user opened before stays good.
  func freshenPage() async throws {
    guard case .open = phase, let pageEnd, surroundings.clock() >= pageEnd, let fresh = try await exchange.withFreshPage(),
      case .open = phase
    else { return }
    let end = surroundings.clock() + (fresh.pageLifetime ?? 0)
    self.pageEnd = fresh.pageLifetime.map { _ in end }
    round.withLock { round in
      round.exchange = fresh
      round.prompt.url = fresh.url
      round.prompt.expiresAt = min(givenUpAt, self.pageEnd ?? .max)
    }
  }

  /// Ends when the account has become usable by other means; false when there is no more to look for.
  func findsNoGrant() -> Bool {
    guard case .open = phase, firstGrant == nil else { return false }
    do throws(OAuthFailure) {
      let stored = try surroundings.store.read(setup.account)?.described(by: surroundings.presets)
      guard let grant = stored, setup.isMet(by: grant, at: surroundings.instant) else { return true }
      deadline?.cancel()
      phase = .over(Self.page(.success(grant), setup))
      end(.success(grant), via: .stored)
    } catch {
      surroundings.tell(event(.failed(error.of(setup.account))))
    }
    return false
  }

  /// Takes what polling has come to; what was given up meanwhile stays so.
  func take(_ result: Result<TokenResponse, any Error>) async {
    guard case .open = phase else { return }
    if case .failure(let failure as OAuthFailure) = result, failure.kind == .timedOut {
      return await abandon("timedOut", failure)
    }
    // Whatever comes of it is the sign-in's end, which tells it.
    _ = try? await conclude { try await $0.conclude(result.get()) }
  }

  /// Gives the sign-in up after so many seconds, or after the code's time.
  func startDeadline(_ timeout: Int) {
    deadline?.cancel()
    let left = codeEnd.map { $0 - surroundings.clock() }
    deadline = Task { [weak self, lifetime = exchange.lifetime] in
      guard (try? await Pause.sleep(seconds: min(timeout, left ?? timeout))) != nil else { return }
      await self?.expire(Self.timedOut(timeout, left.flatMap { $0 < timeout ? lifetime : nil }))
    }
  }

  /// Somebody may have joined with more time just now.
  func expire(_ failure: OAuthFailure) async {
    if !Task.isCancelled { await abandon("timedOut", failure) }
  }
}
