import Jansson
import OAuthCore

/// The data that a signature covers (RFC 5849 §3.4.1). GTMOAuth logged it when built with GTL_DEBUG_OAUTH_SIGNING.
struct ExplanationValue: NestedObject {
  static let schemaName: String? = "SignatureExplanation"
  static var sample: ExplanationValue { ExplanationValue(explanation: .sample) }

  var explanation: OAuth1Explanation

  func list(_ members: inout ObjectWriter) {
    members.add("signatureMethod", explanation.signatureMethod, "The signature method (RFC 5849, 3.4).")
    members.add("method", explanation.method, "The request's HTTP method.")
    members.add("baseStringUri", explanation.baseStringUri, "The URL without its query, as the signature covers it (RFC 5849, 3.4.1.2).")
    members.add(
      "normalizedParameters", explanation.normalizedParameters.map { Parameter(parameter: $0) },
      "The parameters in the order of the signature, encoded once (RFC 5849, 3.4.1.3.2).")
    members.add(optional: "baseString", explanation.baseString, "The signed text (RFC 5849, 3.4.1). PLAINTEXT has none.")
    members.add("key", explanation.key, "The key of the signature.")
  }

  /// A parameter of the signature.
  struct Parameter: NestedObject {
    static let schemaName: String? = "NormalizedParameter"
    static var sample: Parameter { Parameter(parameter: OAuth1Parameter("", "")) }

    var parameter: OAuth1Parameter

    func list(_ members: inout ObjectWriter) {
      members.add("name", parameter.name, "The parameter's name.")
      members.add("value", parameter.value, "The parameter's value, or `…` if it is a secret.")
    }
  }
}
