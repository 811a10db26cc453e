/// What the end of the process waits for.
extension Refreshes {
  /// Seconds that the end of the process waits for second looks, which wait for other processes.
  private static let sweepPatience = 10

  /// Whether nothing is under way or yet to be written, so that the process can end without asking this actor.
  nonisolated var isIdle: Bool { !hasWork.load(ordering: .acquiring) }

  func noteWork() { hasWork.store(!running.isEmpty || !unsaved.isEmpty || !sweeps.isEmpty, ordering: .releasing) }

  private func finishAll() async {
    for promise in running.filter({ sending.contains($0.key) }).values.map(\.promise) { _ = try? await promise.value() }
    for account in unsaved.values.map(\.grant.account) { await saveAgain(account) }
  }

  private func finishSweeps() async {
    for sweep in sweeps.values {
      await withTaskCancellationHandler {
        await sweep.value
      } onCancel: {
        sweep.cancel()
      }
    }
  }

  /// Waits for refreshes that may have been sent, and for what is yet to be written. With `isLast` no other refresh is sent from here on.
  func finish(within seconds: Int, isLast: Bool) async {
    isClosed = isClosed || isLast
    guard !sending.isEmpty || !unsaved.isEmpty || !sweeps.isEmpty else { return }
    _ = try? await OAuth.within(seconds) { await self.finishAll() }
    _ = try? await OAuth.within(min(seconds, Self.sweepPatience)) { await self.finishSweeps() }
  }
}
