/// What goes on while a sign-in is open.
extension SignIn {
  /// Begins what goes on while the sign-in is open: its time runs, the provider is asked where that is the protocol's way, and the account's grant is
  /// looked at, since somebody may sign in with another program.
  func begin() {
    codeEnd = exchange.lifetime.map { surroundings.clock() + $0 }
    startDeadline(setup.request.timeout)
    if setup.request.interaction != .always {
      watching.append(
        Task { [weak self, look = surroundings.nextLook] in
          while (try? await look()) != nil, await self?.findsNoGrant() == true { await self?.takeTurn() }
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

  /// Takes one more request along and asks for the page once more; false when the sign-in has just ended.
  func join(_ request: AuthorizeRequest) async -> Bool {
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
    if end > prompt.expiresAt {
      round.withLock { $0.prompt.expiresAt = end }
      startDeadline(request.timeout)
    }
    await ask(for: request)
    return true
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
