import OAuthCore

/// The exit statuses besides 0, 1 for a failure, and 128 and more for a signal.
enum ExitStatus {
  static let wrongUsage: Int32 = 2
  static let signInRequired: Int32 = 3
  static let denied: Int32 = 4
  static let network: Int32 = 5

  static func of(_ kind: OAuthFailure.Kind) -> Int32 {
    switch kind {
    case .configurationInvalid: wrongUsage
    case .signInRequired, .insufficientUserAuthentication: signInRequired
    case .accessDenied, .insufficientScope, .notAllowed, .hostNotAllowed: denied
    case .networkFailure: network
    default: 1
    }
  }
}
