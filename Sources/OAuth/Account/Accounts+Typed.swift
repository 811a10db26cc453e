extension Accounts {
  /// Takes a code or verifier that the provider showed and somebody typed; false when its sign-in is over or takes none, nil when the id is unknown.
  package func handleTyped(_ text: Secret, signIn id: String) async throws -> Bool? {
    guard let signIn = await signIns.openSignIn(id: id) else { return await signIns.signIn(id: id) == nil ? nil : false }
    guard let parameters = signIn.exchange.redirect(typed: Secret(PastedText(text.value).text)) else { return false }
    _ = try await signIn.receive(parameters)
    // What it caused is told before it is answered; whether it went well is the sign-in's affair.
    _ = try? await signIn.authorization.value()
    try Task.checkCancellation()
    return true
  }
}
