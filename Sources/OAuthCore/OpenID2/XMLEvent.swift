/// Why a document is rejected. The messages quote nothing from it.
package enum XMLFault: Error, Equatable, Sendable, CustomStringConvertible {
  case notUTF8
  /// The document has a document type declaration, which could define entities: exponential expansion, or the content of local files.
  case doctype
  /// An entity other than the five that XML itself defines.
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

/// A start tag with its name resolved (Namespaces in XML 1.0).
package struct XMLElement: Equatable {
  /// Empty without a namespace.
  package let namespace: String
  package let name: String
  /// By name as written, without `xmlns` declarations.
  package let attributes: [String: String]
}

package enum XMLEvent: Equatable {
  case start(XMLElement)
  case text(String)
  case end
}
