/// What the listener of a sign-in answers, and when it stops.
extension SignIn {
  /// Whether a redirect with these parameters answers this sign-in, or has answered it already.
  nonisolated func claims(_ parameters: [RedirectParameter]) -> Bool {
    let round = round.withLock { $0 }
    return round.exchange.claims(parameters) || round.first?.claims(parameters) == true
  }

  /// The page for a redirect that came to the listener.
  func page(for parameters: [RedirectParameter]) async -> ResultPage.Outcome {
    do {
      return try await receive(parameters)
    } catch {
      // The listener has no time left for this connection; the exchange goes on.
      return failed(.unknown)
    }
  }

  /// Frees the port, where it is one of these, for another sign-in.
  func free(_ ports: [UInt16]) {
    if let listener, ports.contains(listener.port) { listener.close() }
  }

  /// Stops answering for an ended sign-in.
  func stopAnswering() { listener?.close() }

  /// The answer to the start address: the page while it is asked for, then how the sign-in went.
  func start() async -> RedirectAnswer {
    switch phase {
    case .open: return BrowserLauncher.safe(prompt.url).map(RedirectAnswer.elsewhere) ?? .notOurs
    case .concluding(let shown): return .page(ResultPage((try? await shown.value()) ?? failed(.cancelled)))
    case .over(let outcome): return .page(ResultPage(outcome))
    }
  }
}
