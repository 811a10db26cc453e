import Jansson
import OAuth

extension DryRun: NestedObject {
  package func list(_ members: inout ObjectWriter) {
    members.add(optional: "url", url, "The page that would open. It is absent if only a response of the provider tells it.")
    members.add(optional: "redirectUri", redirectUri, "The redirect URI.")
    members.add("requests", steps, "The requests in their order. Words in capitals stand for values that only the provider knows.")
  }
}

extension DryRun.Step: NestedObject {
  package static var schemaName: String? { "DryRunRequest" }

  package func list(_ members: inout ObjectWriter) {
    members.add("step", name, "The purpose of the request.")
    members.add("method", method, "The request's HTTP method.")
    members.add("url", url, "The request's URL.")
    members.add("headers", headers, "The request's headers.")
    members.add(optional: "body", body, "The request's body.")
    members.add(optional: "baseString", baseString, "OAuth 1.0a: the text that the request signs, with masked secrets (RFC 5849, 3.4.1).")
  }
}
