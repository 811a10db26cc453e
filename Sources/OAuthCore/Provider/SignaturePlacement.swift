import Jansson

/// Where a request carries the protocol's parameters (RFC 5849 §3.5).
package enum SignaturePlacement: String, StringEnum, Sendable {
  case header, query, body

  package var documentation: String {
    switch self {
    case .header: "The `Authorization` header."
    case .query: "The query of the URL."
    case .body: "The form in the body."
    }
  }
}
