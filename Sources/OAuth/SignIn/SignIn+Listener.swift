import OAuthCore

/// The responses of a sign-in's listener, and when it stops.
extension SignIn {
  /// Whether a redirect with these parameters answers this sign-in's page, or its first one.
  nonisolated func claims(_ parameters: [RedirectParameter]) -> Bool {
    let page = currentPage.withLock { $0 }
    return page.exchange.claims(parameters) || page.first?.claims(parameters) == true
  }

  /// Returns the page for a redirect that arrived at the listener.
  func page(for parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    do {
      return try await receive(parameters)
    } catch {
      // The listener's time for this connection is over. The exchange continues.
      return failed(.unknown)
    }
  }

  /// Frees the port for another sign-in if it is one of these.
  func free(_ ports: [UInt16]) {
    if let listener, ports.contains(listener.port) { listener.close() }
  }

  /// Stops answering for an ended sign-in.
  func stopAnswering() { listener?.close() }

  /// Answers a request for the start address: redirects to the page while the sign-in is open, then shows its result.
  func start() async -> RedirectRequest.Answer {
    switch state {
    case .waiting, .secondPage: return BrowserLauncher.safe(prompt.url).map(RedirectRequest.Answer.elsewhere) ?? .notOurs
    case .exchanging(let exchange): return .page(ResultPage((try? await exchange.shown.value()) ?? failed(.cancelled)))
    case .ended(let outcome, _): return .page(ResultPage(outcome))
    }
  }
}
