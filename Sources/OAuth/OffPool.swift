import Dispatch

/// Runs what blocks on a thread that tasks do not share: with two cores, two blocked threads would stop everything.
package enum OffPool {
  package static func run<Value: Sendable>(_ work: @escaping @Sendable () throws(OAuthFailure) -> Value) async throws(OAuthFailure) -> Value
  {
    let result: Result<Value, OAuthFailure> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: Result { () throws(OAuthFailure) in try work() }) }
    }
    return try result.get()
  }
}
