import JSONRPC
import Jansson
import OAuth

/// What is known of a provider, and why it is treated as it is.
struct ProviderMethod: InlineMethod {
  static let name = "provider"
  static let summary = "What is known of a provider: its endpoints, and each deviation with its reason."

  private let reference: ProviderReference

  init(_ fields: inout Fields) throws(FieldError) {
    reference = try fields.required("provider", "A preset's name, or an object that describes the provider.")
  }

  func run(_ call: Call, _ service: Service) throws -> Result {
    try service.check(reference)
    return Result(provider: try service.presets.resolve(reference))
  }

  struct Result: Answer {
    static var sample: Result { Result(provider: Provider()) }

    /// Members that say where something is; the others say how it deviates.
    private static let plain: Set<String> = [
      "name", "preset", "protocol", "issuer", "apiBase", "apiHosts", "scopes", "reasons", "unconfirmed",
    ]

    var provider: Provider

    func list(_ members: inout Members) {
      let described = provider.source.members ?? []
      let endpoints = described.filter { $0.name.hasSuffix("Endpoint") || $0.name == "jwksUri" }
      let deviations = described.filter { member in
        !Self.plain.contains(member.name) && !endpoints.contains { $0.name == member.name }
      }
      members.add("name", provider.name, "The provider's name.")
      members.add(optional: "preset", provider.preset, "The preset that it comes from.")
      members.add("protocol", provider.protocolName, "The protocol that it speaks.")
      members.add(optional: "issuer", provider.issuer, "Its issuer's identifier.")
      members.add("endpoints", NamedValues(endpoints.map { ($0.name, $0.value.string ?? "") }), "Where things are, by name.")
      members.add(optional: "apiBase", provider.api.apiBase, "What relative URLs are relative to.")
      members.add(optional: "apiHosts", provider.api.apiHosts, "Where the token may go.")
      members.add("scopes", provider.request.scopes, "Scopes that are asked for when nobody names any.")
      members.add(
        "deviations",
        deviations.map { Deviation(member: $0, reason: provider.reasons[$0.name], isUnconfirmed: provider.unconfirmed.contains($0.name)) },
        "What is done otherwise than the specification has it, and why.")
      members.add("unconfirmed", provider.unconfirmed, "Members whose facts have not been confirmed with the provider.")
    }
  }

  struct Deviation: AnswerValue {
    static var sample: Deviation { Deviation(member: .init("", .null), reason: "", isUnconfirmed: true) }

    var member: JSON.Member
    var reason: String?
    var isUnconfirmed: Bool

    func list(_ members: inout Members) {
      members.add("member", member.name, "The member of the provider's description.")
      members.add("value", member.name == "privateKey" ? "…" : member.value, "Its value.")
      members.add(optional: "reason", reason, "Why it is there.")
      members.add(optional: "unconfirmed", isUnconfirmed ? true : nil, "Whether the fact behind it has not been confirmed.")
    }
  }
}

/// The presets.
struct ProvidersMethod: InlineMethod {
  static let name = "providers"
  static let summary = "The names of the providers that are built in."

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) -> Result { Result(names: service.presets.names) }

  struct Result: Answer {
    static var sample: Result { Result(names: []) }

    var names: [String]

    func list(_ members: inout Members) {
      members.add("providers", names, "Names that authorize and provider take.")
    }
  }
}
