import Jansson

/// How a grant came to be usable.
package enum AuthorizationSource: String, StringEnum {
  case stored, refreshed, signedIn

  package var documentation: String {
    switch self {
    case .stored: "The stored grant was valid."
    case .refreshed: "The process refreshed the grant."
    case .signedIn: "The user signed in, or the client got the grant for itself."
    }
  }
}
