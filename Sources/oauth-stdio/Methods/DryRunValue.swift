import Jansson
import OAuth

/// The requests that a sign-in would send.
struct DryRunValue: NestedObject {
  static let schemaName: String? = "DryRun"
  static var sample: DryRunValue { DryRunValue(dryRun: .sample) }

  var dryRun: DryRun

  func list(_ members: inout ObjectWriter) {
    members.add(optional: "url", dryRun.url, "The page that would open. It is absent if only an answer of the provider tells it.")
    members.add(optional: "redirectUri", dryRun.redirectUri, "The redirect URI.")
    members.add(
      "requests", dryRun.steps.map(Request.init),
      "The requests in their order. Words in capitals stand for values that only the provider knows.")
  }

  /// One request that a sign-in would send.
  struct Request: NestedObject {
    static let schemaName: String? = "DryRunRequest"
    static var sample: Request { Request(step: .sample) }

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
}
