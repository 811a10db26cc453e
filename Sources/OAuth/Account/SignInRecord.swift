import Jansson
import OAuthCore
import Store

/// What is stored of an account's sign-ins beside its grant.
package struct SignInRecord: Sendable {
  var open: OpenSignIn?
  /// Why the last sign-in brought no grant, without secrets, and when, in Unix seconds.
  package var failure: (reason: String, time: Int)?

  fileprivate init(_ text: [UInt8]?) {
    let json = text.flatMap { try? JSON.parse($0) }
    open = json.flatMap(OpenSignIn.init)
    if let reason = json?["failure"]?.string, let time = json?["failedAt"]?.integer { failure = (reason, time) }
  }

  /// Returns the open sign-in of an ended process. Its page still waits for the user.
  func left(at now: Int) -> OpenSignIn? { open.flatMap { $0.endsAt > now ? $0 : nil } }

  /// nil if there is nothing to store.
  fileprivate var text: [UInt8]? {
    var members = open?.json.members ?? []
    if let failure { members += [.init("failure", .string(failure.reason)), .init("failedAt", .integer(failure.time))] }
    return members.isEmpty ? nil : JSON.object(members).text
  }

  /// Takes the end of a sign-in. One that was cancelled or replaced says nothing. `diagnose` shows the reason, which need not name that.
  mutating func take(_ result: Result<Grant, any Error>, at now: Int, leaving other: OpenSignIn? = nil) {
    open = other
    guard case .failure(let error) = result else { return failure = nil }
    guard let error = error as? OAuthFailure, error.kind != .signInRequired else { return }
    failure = (error.advice == .diagnose ? error.problem : error.message, now)
  }
}

extension Account {
  package var signInRecord: SignInRecord { get async { SignInRecord(await dependencies.store.signIns(of: name)) } }

  /// Changes the record. A failure to store it costs no sign-in.
  func changeSignInRecord(_ change: @Sendable (inout SignInRecord) -> Void) async {
    var record = await signInRecord
    change(&record)
    try? await dependencies.store.keep(signIns: record.text, of: name)
  }
}
