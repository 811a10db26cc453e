/// The fault of one place in an object from outside, with its JSON pointer (RFC 6901).
package struct FieldError: Error, Sendable, Equatable {
  package var path: String
  /// The fault, as the end of a sentence that starts with the path. It never quotes the value, which may be a secret.
  package var problem: String
  /// Why that is so, or what a client can do, with the sign before it. A command line says it in its own words.
  package var explanation: String

  package init(_ path: String, _ problem: String, _ explanation: String = "") {
    (self.path, self.problem, self.explanation) = (path, problem, explanation)
  }

  package static func == (left: FieldError, right: FieldError) -> Bool { left.message == right.message }

  package static func missing(_ path: String, _ explanation: String = "") -> FieldError { FieldError(path, "is missing", explanation) }

  /// Returns the error for an object that has none of several members but needs one.
  package static func missing(_ path: String, oneOf names: String) -> FieldError { FieldError(path, oneIsMissing + names) }

  private static let oneIsMissing = "must have exactly one of "

  package var isMissing: Bool { problem == Self.missing(path).problem || problem.hasPrefix(Self.oneIsMissing) }

  /// The problem with its explanation.
  package var wholeProblem: String { problem + explanation }

  /// The whole sentence, such as `/account is missing`.
  package var message: String { "\(path.isEmpty ? "the object" : path) \(wholeProblem)" }
}
