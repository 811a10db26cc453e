import Synchronization

/// Answers what comes to the listener of one sign-in, and to no other's.
///
/// A listener that took any open sign-in's redirect would let one provider's page end another provider's sign-in (RFC 9700, 4.4).
final class RedirectDesk: Sendable {
  private struct State {
    weak var signIns: SignIns?
    /// nil while it is getting ready.
    weak var signIn: SignIn?
  }

  private let state: Mutex<State>
  private let remark: @Sendable (Remark) -> Void

  init(_ signIns: SignIns, _ remark: @escaping @Sendable (Remark) -> Void) {
    state = Mutex(State(signIns: signIns))
    self.remark = remark
  }

  func serve(_ signIn: SignIn) { state.withLock { $0.signIn = signIn } }

  @Sendable func answer(_ request: RedirectRequest) async -> RedirectAnswer {
    let (signIns, signIn) = state.withLock { ($0.signIns, $0.signIn) }
    if let signIn {
      if request.isStart { return await signIn.start() }
      if signIn.claims(request.parameters) { return .page(ResultPage(await signIn.page(for: request.parameters))) }
      // A pinned port had other sign-ins before.
      if let ended = await signIns?.endedSignIn(for: request.parameters), ended.port == signIn.port {
        return .page(ResultPage(await ended.page(for: request.parameters)))
      }
    }
    remark(.redirectRefused)
    return .notOurs
  }
}
