import Jansson
import OAuthCore
import Signatures

/// GTMOAuth logged these data when built with GTL_DEBUG_OAUTH_SIGNING.
extension OAuth1Explanation: NestedObject {
  package static var schemaName: String? { "SignatureExplanation" }

  package func list(_ members: inout ObjectWriter) {
    members.add("signatureMethod", signatureMethod, "The signature method (RFC 5849, 3.4).")
    members.add("method", method, "The request's HTTP method.")
    members.add("baseStringUri", baseStringUri, "The URL without its query, as the signature covers it (RFC 5849, 3.4.1.2).")
    members.add(
      "normalizedParameters", normalizedParameters,
      "The parameters in the order of the signature, encoded once (RFC 5849, 3.4.1.3.2).")
    members.add(optional: "baseString", baseString, "The signed text (RFC 5849, 3.4.1). PLAINTEXT has none.")
    members.add("key", key, "The key of the signature.")
  }
}

extension OAuth1Parameter: NestedObject {
  package static var schemaName: String? { "NormalizedParameter" }
  package static var sample: OAuth1Parameter { OAuth1Parameter("", "") }

  package func list(_ members: inout ObjectWriter) {
    members.add("name", name, "The parameter's name.")
    members.add("value", value, "The parameter's value, or `…` if it is a secret.")
  }
}
