/// A method that waits for something. It runs as a task, so later requests do not have to wait.
package protocol TaskMethod: Method {
  // Declared again, so that they are inferred from `run`.
  associatedtype Context
  associatedtype Result
  func run(_ call: Call, _ context: Context) async throws -> Result
  /// Returns the result if it can be had without waiting; nil starts the task. Runs before the next message is read.
  func resultAtOnce(_ call: Call, _ context: Context) throws -> Result?
  /// Runs before the next message is read.
  func willRun(_ context: Context)
}
