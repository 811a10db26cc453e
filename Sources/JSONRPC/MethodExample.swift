/// A call of a method and its answer, both as JSON text.
package struct MethodExample: Sendable {
  /// The params by name.
  package var params: String
  /// nil if the method is a notification, or if the result is too long.
  package var result: String?

  package init(_ params: String, _ result: String?) { (self.params, self.result) = (params, result) }
}
