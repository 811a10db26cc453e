import Platform

/// Work that has to finish before the process ends.
extension TokenRefresher {
  /// Seconds that the process waits at its end for second removals, which wait for other processes.
  private static let sweepPatience = 10

  /// Whether no work is running or still to be written. The process can then end without calling this actor.
  nonisolated var isIdle: Bool { refreshing.isEmpty && !hasWork.load(ordering: .acquiring) }

  func noteWork() { hasWork.store(!unsaved.isEmpty || !sweeps.isEmpty, ordering: .releasing) }

  private func finishAll() async {
    for account in sending { _ = try? await refreshing.running(account)?.value() }
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

  /// Waits for refreshes that may have been sent, and for grants that are still to be written. With `isLast` no further refresh is sent.
  func finish(within seconds: Int, isLast: Bool) async {
    isClosed = isClosed || isLast
    guard !sending.isEmpty || !unsaved.isEmpty || !sweeps.isEmpty else { return }
    _ = try? await dependencies.clock.withTimeout(seconds) { await self.finishAll() }
    _ = try? await dependencies.clock.withTimeout(min(seconds, Self.sweepPatience)) { await self.finishSweeps() }
  }
}
