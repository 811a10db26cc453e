import OAuthCore
import Platform

/// What runs while the sign-in waits for its page.
extension SignIn {
  /// Starts the activities of an open sign-in: the deadline, polling if the protocol needs it, and reading the account's grant when it changes:
  /// the user may sign in with another program.
  func begin() {
    userCodeExpiresAt = exchange.device.map { dependencies.clock.now + $0.codes.expiresIn }
    startPage()
    if plan.request.interaction != .always {
      watching.append(
        Task { [weak self, notices = account.accounts.ledger.notices(of: plan.account)] in
          for await _ in notices {
            guard await self?.findsNoGrant() == true else { return }
          }
        })
      if !account.accounts.ledger.canWatch {
        watching.append(
          Task { [weak self, clock = dependencies.clock] in
            while (try? await clock.sleep(seconds: 1)) != nil, await self?.findsNoGrant() == true {}
          })
      }
    }
    guard let device = exchange.device else { return }
    watching.append(
      Task { [weak self] in
        let result: Result<TokenRequest.Response, any Error>
        do {
          result = .success(try await device.tokens())
        } catch {
          result = .failure(error)
        }
        await self?.take(result, from: device)
      })
  }

  /// Takes the result of polling. Ignores it if the sign-in is no longer open.
  private func take(_ result: Result<TokenRequest.Response, any Error>, from device: DeviceFlow) async {
    guard isOpen else { return }
    if case .failure(let failure as OAuthFailure) = result, failure.kind == .timedOut {
      return await abandon("timedOut", failure)
    }
    // The sign-in reports the result when it ends.
    _ = try? await conclude { _ in try await device.conclude(result.get()) }
  }

  /// Ends the sign-in after `timeout` seconds, or when the code expires.
  func startDeadline(_ timeout: Int) {
    deadline?.cancel()
    let left = userCodeExpiresAt.map { $0 - dependencies.clock.now }
    deadline = Task { [weak self, clock = dependencies.clock, lifetime = exchange.device?.codes.expiresIn] in
      guard (try? await clock.sleep(seconds: min(timeout, left ?? timeout))) != nil else { return }
      await self?.expire(Self.timedOut(timeout, left.flatMap { $0 < timeout ? lifetime : nil }))
    }
  }

  /// A request with a longer timeout may have joined just now.
  private func expire(_ failure: OAuthFailure) async {
    if !Task.isCancelled { await abandon("timedOut", failure) }
  }
}
