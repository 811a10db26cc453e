import Jansson
import OAuth

extension ObjectReader {
  /// Reads how long the caller waits for a provider's answer.
  mutating func providerTimeout() throws(FieldError) -> Int {
    try optional(
      "timeout", in: 1...86_400, default: Accounts.defaultTimeoutSeconds, "The seconds after which the call fails with `timedOut`.")
  }

  /// Reads how long the caller waits for a call that needs a valid token. Another process may hold the account's lock, or a token endpoint may not
  /// respond.
  mutating func tokenTimeout() throws(FieldError) -> Int {
    try optional(
      "timeout", in: 1...86_400, default: Accounts.defaultTimeoutSeconds,
      "The seconds after which the call fails with `timedOut`. A refresh continues without the call.")
  }
}
