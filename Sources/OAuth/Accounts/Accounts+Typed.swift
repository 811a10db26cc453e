import OAuthCore

extension Accounts {
  /// Takes a code or verifier that the provider showed and the user typed.
  /// Returns false if the sign-in has ended or takes no code; nil if the id is unknown.
  package func handleTyped(_ text: Secret, signIn id: String) async throws -> Bool? {
    guard let signIn = await signIns.openSignIn(id: id) else { return await signIns.signIn(id: id) == nil ? nil : false }
    guard let parameters = signIn.exchange.redirect(typed: Secret(PastedText(text.value).text)) else { return false }
    _ = try await signIn.receive(parameters)
    // Events of the sign-in are sent before the response to this request. Whether the sign-in succeeded is reported there.
    _ = try? await signIn.authorization.value()
    try Task.checkCancellation()
    return true
  }
}
