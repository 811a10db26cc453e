/// Waits up to a minute for `condition` and returns whether it holds.
package func soon(_ condition: () async -> Bool) async -> Bool {
  for _ in 0..<12_000 {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}
