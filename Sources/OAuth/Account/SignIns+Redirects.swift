import Loopback
import OAuthCore

/// Redirects that the client caught or the user pasted, and codes that the user typed.
extension SignIns {
  /// Takes a redirect. Returns why it finishes no sign-in, as a sentence for the user, and leaves open ones open; nil if it was handled.
  ///
  /// Cancelling the caller only ends its waiting, because the code exchange is already running.
  package func take(redirect url: String) async throws -> String? {
    let text = PastedText(url).text.filter { !$0.isWhitespace && !$0.isNewline }
    let candidates = Self.parameters(ofRedirect: text)
    for parameters in candidates {
      guard let signIn = openSignIn(for: parameters), signIn.exchange.isResponse(parameters) else { continue }
      try await finish(signIn, parameters)
      return nil
    }
    if Self.isBareCode(text), let (signIn, parameters) = signInAwaitingTypedCode(Secret(text)) {
      try await finish(signIn, parameters)
      return nil
    }
    dependencies.log(.redirectRejected)
    return await reason(text, candidates)
  }

  /// Takes a code or verifier that the provider showed and the user typed. Returns false if the sign-in has ended or takes no code; nil if the id is
  /// unknown.
  package func take(typed text: Secret, signIn id: String) async throws -> Bool? {
    guard let signIn = openSignIn(id: id) else { return find(id: id) == nil ? nil : false }
    guard let parameters = signIn.exchange.redirect(typed: Secret(PastedText(text.value).text)) else { return false }
    _ = try await signIn.receive(parameters)
    try await signIn.waitForEvents()
    return true
  }

  private func finish(_ signIn: SignIn, _ parameters: [RedirectParameter]) async throws {
    // A sign-in that continues with another page has not ended. This request does not wait for its end.
    if case .unfinished = try await signIn.receive(parameters) { return }
    try await signIn.waitForEvents()
  }

  private func reason(_ text: String, _ candidates: [[RedirectParameter]]) async -> String {
    let wanted = "paste the whole address that the browser shows after signing in"
    if text.isEmpty { return "nothing was pasted: \(wanted)" }
    if isPage(text) { return "this is the address of the sign-in page itself: sign in there, and then \(wanted)" }
    if candidates.isEmpty { return "the address is damaged, or a parameter occurs twice: \(wanted)" }
    for parameters in candidates {
      if openSignIn(for: parameters) != nil { return "the address has neither a code nor an error: \(wanted)" }
      if endedSignIn(for: parameters) != nil { return "the sign-in that the address belongs to has ended" }
      if let error = parameters.statelessError { return "the server reports \(error), without the state that says for which sign-in" }
    }
    if Self.isBareCode(text) { return "a code alone does not say which sign-in it belongs to: \(wanted)" }
    return "the address belongs to no open sign-in: \(wanted)"
  }

  /// Whether the text is a code, or `CODE#STATE`.
  private static func isBareCode(_ text: String) -> Bool {
    text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).allSatisfy { part in
      var rest = part
      while rest.last == "=" { rest.removeLast() }
      return !rest.isEmpty && !rest.contains { $0 == "=" || $0 == "?" || $0 == "&" } && !rest.contains("://")
    }
  }

  /// Returns the parameters of a caught or pasted redirect, from its query and from its fragment.
  private static func parameters(ofRedirect text: String) -> [[RedirectParameter]] {
    let withoutFragment = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let query = withoutFragment[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var candidates: [Substring] = query.count > 1 ? [query[1]] : [withoutFragment[0]]
    if withoutFragment.count > 1 { candidates.append(withoutFragment[1]) }
    // A redirect that repeats a parameter is ambiguous (RFC 6749, 3.1). No sign-in takes it.
    return candidates.compactMap { try? LoopbackRequest.Redirect.parameters($0.utf8) }
  }
}

extension SignIn {
  /// Waits until the events of the sign-in's end are sent, which report whether it succeeded. Throws only if the waiting itself is cancelled:
  /// a redirect that was taken counts as handled, whatever follows.
  fileprivate nonisolated func waitForEvents() async throws {
    do { _ = try await authorization.value() } catch let error as CancellationError { throw error } catch {}
  }
}
