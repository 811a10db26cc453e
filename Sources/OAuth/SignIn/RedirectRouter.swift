import OAuthCore
import Synchronization

/// Answers the requests to the listener of one sign-in, and to no other listener.
///
/// If a listener accepted any open sign-in's redirect, one provider's page could end another provider's sign-in (RFC 9700, 4.4).
final class RedirectRouter: Sendable {
  private struct State {
    weak var signIns: SignInRegistry?
    /// nil while the sign-in is being prepared.
    weak var signIn: SignIn?
  }

  private let state: Mutex<State>
  private let log: @Sendable (LogMessage) -> Void

  init(_ signIns: SignInRegistry, _ log: @escaping @Sendable (LogMessage) -> Void) {
    state = Mutex(State(signIns: signIns))
    self.log = log
  }

  func serve(_ signIn: SignIn) { state.withLock { $0.signIn = signIn } }

  @Sendable func answer(_ request: RedirectRequest) async -> RedirectRequest.Answer {
    let (signIns, signIn) = state.withLock { ($0.signIns, $0.signIn) }
    if let signIn {
      if request.isStart { return await signIn.start() }
      if signIn.claims(request.parameters) { return .page(ResultPage(await signIn.page(for: request.parameters))) }
      // Earlier sign-ins may have used the same pinned port.
      if let ended = await signIns?.endedSignIn(for: request.parameters), ended.port == signIn.port {
        return .page(ResultPage(await ended.page(for: request.parameters)))
      }
    }
    log(.redirectRefused)
    return .notOurs
  }
}
