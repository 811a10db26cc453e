import Jansson
import OAuth

extension Fields {
  /// How long the caller waits for a provider's answer.
  mutating func providerTimeout() throws(FieldError) -> Int {
    try optional("timeout", in: 1...86_400, "Seconds until it is answered timedOut; 60 by default.") ?? Accounts.patience
  }

  /// How long the caller waits for what needs a token that lives. Another process may hold the account's lock, and a token endpoint may say nothing.
  mutating func tokenTimeout() throws(FieldError) -> Int {
    try optional(
      "timeout", in: 1...86_400,
      "Seconds until it is answered timedOut, even if another process refreshes the token; 60 by default. A refresh goes on by itself.")
      ?? Accounts.patience
  }
}
