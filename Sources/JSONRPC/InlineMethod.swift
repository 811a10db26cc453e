/// A method that waits for nothing. It runs immediately on the reading thread.
package protocol InlineMethod: Method {
  // Declared again, so that they are inferred from `run`.
  associatedtype Context
  associatedtype Result
  func run(_ call: Call, _ context: Context) throws -> Result
}

extension InlineMethod {
  package func resultAtOnce(_ call: Call, _ context: Context) throws -> Result? { try run(call, context) }
}
