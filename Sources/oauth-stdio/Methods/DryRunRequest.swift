import Jansson
import OAuth

/// One request that a sign-in would send.
struct DryRunRequest: NestedObject {
  static let schemaName: String? = "DryRunRequest"
  static var sample: DryRunRequest { DryRunRequest(step: .sample) }

  var step: DryRun.Step

  func list(_ members: inout ObjectWriter) {
    members.add("step", step.name, "The purpose of the request.")
    members.add("method", step.method, "The request's HTTP method.")
    members.add("url", step.url, "The request's URL.")
    members.add("headers", step.headers, "The request's headers.")
    members.add(optional: "body", step.body, "The request's body.")
    members.add(
      optional: "baseString", step.baseString, "OAuth 1.0a: the text that the request signs, with masked secrets (RFC 5849, 3.4.1).")
  }
}
