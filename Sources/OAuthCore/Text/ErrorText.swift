/// Cleans text of a server that received no secret.
package enum ErrorText {
  package static func clean(_ text: String) -> String { Redaction.none.clean(text) }
}
