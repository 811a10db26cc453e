import Jansson
import OAuthCore

extension OpenIDIdentity {
  /// Enters the user and the attributes into the grant. Leaves out values with control characters.
  func add(to grant: inout Grant) {
    grant.subject = subject
    let shown = attributes.filter { !$0.value.utf8.contains { $0 < 0x20 || $0 == 0x7F } }
    grant.attributes = grant.attributes.merged(with: NamedValues(shown))
    grant.email = shown.first { $0.name == "email" }?.value ?? grant.email
  }
}
