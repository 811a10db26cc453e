@testable import OAuth
@testable import OAuthCore
@testable import Platform

/// Who waits for the account's open sign-in. A test awaits these numbers: a pause would prove nothing on a slow machine.
extension Stage {
  var signIn: SignIn? { accounts["a"].openSignIn }

  /// The number of requests that wait for the end of the sign-in.
  var awaiting: Int { signIn?.authorization.waiting ?? 0 }
}
