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
      "requests", dryRun.steps.map(DryRunRequest.init),
      "The requests in their order. Words in capitals stand for values that only the provider knows.")
  }
}
