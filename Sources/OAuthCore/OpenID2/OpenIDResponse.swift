/// The response at `return_to` (OpenID Authentication 2.0, section 10), after our `state` has shown which sign-in it belongs to.
package enum OpenIDResponse: Sendable {
  /// The provider asserts a sign-in, which is not verified yet.
  case assertion(OpenIDMessage)
  case failure(OAuthFailure)

  /// Reads the mode. Cancelling is a denial, and neither a denial nor an error counts as a sign-in.
  package init(_ message: OpenIDMessage) {
    switch message["mode"] {
    case "id_res"?: self = .assertion(message)
    case "cancel"?: self = .failure(OAuthFailure(.accessDenied, "the sign-in was denied", details: [.init("error", "cancel")]))
    case "error"?: self = .failure(Self.error(message))
    case "setup_needed"?:
      self = .failure(
        OAuthFailure(
          .authorizationServerError, "the OpenID provider needs to ask the user first",
          details: [.init("error", "setup_needed")]))
    default: self = .failure(.untrusted("the redirect is not a response of an OpenID provider"))
    }
  }

  private static func error(_ message: OpenIDMessage) -> OAuthFailure {
    let hidden = Redaction(message.fields.filter { $0.name.hasSuffix(".code") || $0.name.hasSuffix(".state") }.map { Secret($0.value) })
    // 5.2.3 defines a text for the user but no code.
    let text = message["error"].map(hidden.clean) ?? "error"
    return OAuthFailure(
      .authorizationServerError, "the OpenID provider rejected the sign-in: \(text)", details: [.init("error", .string(text))])
  }
}
