import Jansson
import OAuthCore

extension Provider.Deviation: NestedObject {
  package static var sample: Provider.Deviation { Provider.Deviation(member: "", value: .null, reason: "", isUnconfirmed: true) }

  package func list(_ members: inout ObjectWriter) {
    members.add("member", member, "The member of the provider's description.")
    members.add("value", value, "The member's value.")
    members.add(optional: "reason", reason, "The reason for the deviation.")
    members.add(optional: "unconfirmed", isUnconfirmed ? true : nil, "Whether no source confirms the fact.")
  }
}
