/// What happened with a redirect that the client passed in.
package enum RedirectOutcome: Sendable, Equatable {
  case handled
  /// The redirect finishes no sign-in. The text is the reason, as a sentence for the user. Open sign-ins stay open.
  case useless(String)
}
