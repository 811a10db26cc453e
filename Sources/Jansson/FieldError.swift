/// The fault of one place in an object from outside, with its JSON pointer (RFC 6901).
package struct FieldError: Error, Sendable, Equatable {
  package var path: String
  /// The fault, as the end of a sentence that starts with the path. It never quotes the value, which may be a secret.
  package var problem: String

  package init(_ path: String, _ problem: String) {
    self.path = path
    self.problem = problem
  }

  package static func missing(_ path: String) -> FieldError { FieldError(path, "is missing") }

  /// Returns the error for an object that has none of several members but needs one.
  package static func missing(_ path: String, oneOf names: String) -> FieldError { FieldError(path, oneIsMissing + names) }

  private static let oneIsMissing = "must have exactly one of "

  package var isMissing: Bool { self == .missing(path) || problem.hasPrefix(Self.oneIsMissing) }

  /// The whole sentence, such as `/account is missing`.
  package var message: String { "\(path.isEmpty ? "the object" : path) \(problem)" }
}
