/// The facts about a call besides its params.
package struct Call: Sendable {
  /// nil for a notification. It is still carried out, and only events report its outcome.
  package var id: Request.ID?
}
