/// Why a document is not read. Nothing of it is quoted.
package enum XMLFault: Error, Equatable, Sendable, CustomStringConvertible {
  case notUTF8
  /// A document type declaration: what entities, and with them billions of laughs and files of this machine, would come in by.
  case doctype
  /// Any other entity than the five that XML itself has.
  case entity
  case malformed
  case tooDeep
  case tooManyAttributes

  package var description: String {
    switch self {
    case .notUTF8: "the document is not utf-8"
    case .doctype: "the document has a document type declaration"
    case .entity: "the document has an entity"
    case .malformed: "the document is no well-formed xml"
    case .tooDeep: "the document's elements stand too deep in each other"
    case .tooManyAttributes: "an element of the document has too many attributes"
    }
  }
}

/// An element's beginning, its name resolved (Namespaces in XML 1.0).
struct XMLElement: Equatable {
  /// Empty where it has none.
  let namespace: String
  let name: String
  /// By their names as written; `xmlns` declarations are not among them.
  let attributes: [String: String]
}

enum XMLEvent: Equatable {
  case start(XMLElement)
  case text(String)
  case end
}
