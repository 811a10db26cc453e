/// What the methods work on, and what the peer asks it about their calls.
package protocol MethodContext: Sendable {
  /// Throws for a method that the client may not call, before its params are read.
  func check(_ method: MethodEntry<Self>) throws
  /// Returns what a method's error is on the wire.
  func rpcError(_ error: any Error) -> RPCError
  /// Whether the work had ended with the error, so that a cancellation came too late.
  func isFinal(_ error: any Error) -> Bool
  /// Receives a failed notification, which gets no answer.
  func notificationWasRejected(_ method: String, _ error: any Error, _ shown: RPCError)
  /// Called after a task has handed its answer over.
  func wasAnswered()
}
