import Jansson

/// From a redirect to a grant on the disk, and what stops that.
extension SignIn {
  /// What a redirect has bought.
  struct Purchase: Sendable {
    var result: Result<Grant, any Error>
    /// What `undo` takes back.
    var kept: Refreshes.Kept?
    /// Another page that may bring what the grant lacks.
    var next: (any SignInProtocol)?
  }

  /// Takes a redirect that the exchange claims, wherever it came in, and says what the page is to show.
  ///
  /// A redirect that was claimed just before the second round began belongs to the first, and must not spend the second.
  func receive(_ parameters: [RedirectParameter]) async throws -> ResultPage.Outcome {
    if case .open = phase, firstGrant != nil, !exchange.claims(parameters) { return .unfinished(provider: setup.provider.name) }
    return try await conclude { try await $0.conclude(parameters) }
  }

  /// Throws `CancellationError` when the caller is cancelled; the exchange then goes on, since its code is spent.
  func conclude(_ buy: @escaping @Sendable (any SignInProtocol) async throws -> Grant) async throws -> ResultPage.Outcome {
    switch phase {
    case .over(let outcome): return outcome
    case .concluding(let outcome): return try await outcome.value()
    case .open: break
    }
    let shown = Promise<ResultPage.Outcome>()
    phase = .concluding(shown)
    deadline?.cancel()
    let purchase = Task { await bought(buy) }
    self.purchase = purchase
    conclusion = Task { await conclude(await purchase.value, shown) }
    return try await shown.value()
  }

  /// One who has waited goes, and takes the sign-in along when no other request is left; false when one is.
  func leave(_ reason: String, _ failure: any Error) async -> Bool {
    guard company.leave() else { return false }
    await stop(reason, failure)
    return true
  }

  /// Gives the sign-in up for good: what it has brought is not kept.
  func giveUp() async {
    firstGrant = nil
    await stop("cancelled", cancelled)
  }

  /// Ends the sign-in at once, a code exchange under way included.
  private func stop(_ reason: String, _ failure: any Error) async {
    guard case .concluding = phase else { return await abandon(reason, failure) }
    if stopped == nil { stopped = (reason, failure) }
    company.stop()
    purchase?.cancel()
    await conclusion?.value
    await ending?.value
  }

  private func conclude(_ purchase: Purchase, _ shown: Promise<ResultPage.Outcome>) async {
    func show(_ outcome: ResultPage.Outcome) {
      phase = .over(outcome)
      shown.settle(.success(outcome))
    }
    if let stopped {
      show(page(withoutGrant: stopped.failure))
      return end(withoutGrant: stopped.failure, stopped.reason, undoing: purchase.kept)
    }
    if case .success(let grant) = purchase.result, let next = purchase.next {
      begin(next, after: grant)
      shown.settle(.success(.unfinished(provider: setup.provider.name)))
      return await ask(for: setup.request)
    }
    var result = purchase.result
    if case .failure(let failure) = result, let firstGrant {
      if let failure = failure as? OAuthFailure { surroundings.tell(event(.failed(failure))) }
      result = .success(firstGrant)
    }
    show(Self.page(result, setup))
    end(result)
  }

  /// The second round, with a page that may bring what the first round's grant lacks.
  private func begin(_ next: any SignInProtocol, after grant: Grant) {
    firstGrant = grant
    let lifetime = min(setup.request.timeout, next.pageLifetime ?? .max)
    let prompt = SignInPrompt(id: prompt.id, url: next.url, expiresAt: surroundings.clock() + lifetime, reason: .refreshTokenMissing)
    round.withLock { $0 = Round(exchange: next, prompt: prompt, number: $0.number + 1, first: $0.exchange) }
    phase = .open
    startPage()
  }

  private func bought(_ buy: @Sendable (any SignInProtocol) async throws -> Grant) async -> Purchase {
    var kept: Refreshes.Kept?
    do {
      let grant = try await buy(exchange)
      let first = try await refreshes.keep(grant) { [company, setup] previous in
        if company.isUnwanted { throw CancellationError() }
        try setup.checkUser(of: grant, replacing: previous)
      }
      kept = first
      var own = first.grant
      // What the code has bought is kept by now, whatever becomes of this process while the exchange lasts.
      if let longLived = await LongLivedExchange(surroundings: surroundings, cause: setup.request.cause).exchanged(own) {
        if await refreshes.replace(own, with: longLived) { own = longLived }
      }
      if let found = await AccountLookupRequest(surroundings: surroundings, cause: setup.request.cause).completed(own) {
        if await refreshes.replace(own, with: found) { own = found }
      }
      kept?.grant = own
      // Of the second round there is no other. What has been granted is good by itself.
      let next = firstGrant == nil ? try? await exchange.again(lacking: own) : nil
      return Purchase(result: .success(own), kept: kept, next: next)
    } catch let failure as OAuthFailure {
      if setup.registersClient, failure["error"] == "invalid_client" { await refreshes.forgetClient(setup.client, of: setup.account) }
      return Purchase(result: .failure(failure.of(setup.account)), kept: kept)
    } catch {
      return Purchase(result: .failure(error), kept: kept)
    }
  }

  /// Restores the previous grant after the grant of a cancelled sign-in was stored.
  func undo(_ kept: Refreshes.Kept) async {
    do {
      try await refreshes.takeBack(kept.grant, for: kept.previous)
    } catch {
      surroundings.tell(event(.failed((error as? OAuthFailure) ?? OAuthFailure(.storageFailure, "the grant could not be taken back"))))
    }
  }
}
