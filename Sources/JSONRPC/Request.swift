import Jansson

/// A request or a notification (one without an id), with unchecked params.
package struct Request: Sendable {
  /// nil for a notification.
  package var id: RequestID?
  package var method: String
  package var params: Params

  /// The params. Absent, `null`, `[]` and `{}` are all `.none`.
  package enum Params: Sendable {
    case none
    case members([JSON.Member])
    case positions([JSON])
  }
}
