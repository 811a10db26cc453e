import Jansson

/// How the signature covers a body that is not a form (OAuth Request Body Hash 1.0, draft 4).
package enum BodyHash: String, StringEnum, Sendable {
  case none, sha1, method

  package var documentation: String {
    switch self {
    case .none: "The signature does not cover the body."
    case .sha1: "SHA-1 with every signature method."
    case .method: "The digest of the signature method."
    }
  }
}
