import Jansson

/// An object of ours inside another one of ours.
protocol AnswerValue: Answer, FieldValue {}

extension AnswerValue {
  static var schema: JSON {
    var members = Members(describing: ())
    sample.list(&members)
    return Fields.objectSchema(members.declarations, isClosed: true)
  }

  static var placeholder: Self { sample }

  /// We say these and never hear them.
  static func read(_ json: JSON, at path: String) throws(FieldError) -> Self { throw FieldError(path, "is not read here") }
}
