import Jansson

/// One thing that a diagnosis looked at, and what it found. It contains no secret, so that users can paste it into a bug report.
package struct Finding: Sendable, Equatable {
  package enum State: String, StringEnum {
    package static let schemaName: String? = "FindingState"

    case ok, warning, failed

    package var documentation: String {
      switch self {
      case .ok: "Nothing is wrong."
      case .warning: "It may be wrong, or it could not be checked."
      case .failed: "A sign-in or a request fails because of it."
      }
    }
  }

  /// What was looked at, such as `clock`.
  package var check: String
  package var state: State
  package var message: String
  /// What the user can do.
  package var advice: String?

  package init(_ check: String, _ state: State, _ message: String, advice: String? = nil) {
    (self.check, self.state, self.message, self.advice) = (check, state, message, advice)
  }
}
