import Synchronization

@testable import Loopback
@testable import OAuthCore
@testable import Platform

/// A sign-in that knows one `state` and records the redirects for it.
final class RedirectLog: Sendable {
  private let seen = Mutex<[LoopbackRequest.Redirect]>([])

  var requests: [LoopbackRequest.Redirect] { seen.withLock { $0 } }

  func handle(_ request: LoopbackRequest.Redirect) -> LoopbackRequest.Redirect.Answer {
    guard request["state"] == "ours" else { return .notOurs }
    seen.withLock { $0.append(request) }
    if let error = request["error"] { return .page(ResultPage(.failed(.rejected, said: error, provider: "Example"))) }
    return .page(ResultPage(.succeeded(account: "ada@example.org", provider: "Example")))
  }

  func listen(_ address: LoopbackAddress = LoopbackAddress(path: "/callback"), limits: LoopbackListener.Limits = LoopbackListener.Limits())
    throws
    -> LoopbackListener
  {
    try LoopbackListener.open(address, limits: limits) { self.handle($0) }
  }
}

/// A gate that opens once and then resumes all waiters.
final class LoopbackGate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters.forEach { $0.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

extension LoopbackRequest.Redirect {
  subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}
