import CPlatform

/// The two ends of a pipe. Children don't inherit them.
package struct Pipe: Sendable {
  package let reading: Int32
  package let writing: Int32

  /// Returns nil with `errno` if the process has no descriptor left.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard cplatform_pipe(&ends) == 0 else { return nil }
    (reading, writing) = (ends[0], ends[1])
  }
}
