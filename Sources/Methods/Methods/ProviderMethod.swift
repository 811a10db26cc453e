import JSONRPC
import Jansson
import OAuthCore

/// Returns a provider's description, and the reason for each deviation.
struct ProviderMethod: Method {
  static let name = "provider"
  static let errors = Errors.discovery

  private let reference: ProviderReference
  private let variables: NamedValues<String>
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    reference = try fields.required("provider", "The provider: a preset's name, an https URL, or a description.")
    variables = try fields.optional(
      "variables", default: .init(), "Values for {names} in the provider's description, such as a tenant or a host.")
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    Result(provider: try await service.accounts.provider(reference, variables, in: timeout))
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(provider: Provider()) }

    var provider: Provider

    func list(_ members: inout ObjectWriter) {
      let endpoints = (provider.source.members ?? []).filter { $0.name.hasSuffix("Endpoint") || $0.name == "jwksUri" }
      members.add("name", provider.name, "The provider's name for users.")
      members.add(optional: "preset", provider.preset, "The preset that the description starts from.")
      members.add("protocol", provider.protocolName, "The provider's protocol.")
      members.add(optional: "issuer", provider.shownIssuer, "The issuer's identifier.")
      members.add("endpoints", NamedValues(endpoints.map { ($0.name, $0.value.string ?? "") }), "The URLs of the endpoints, by name.")
      members.add(optional: "apiBase", provider.api.apiBase, "The base of relative URLs.")
      members.add(optional: "apiHosts", provider.api.apiHosts, "The hosts that receive the token.")
      members.add(
        optional: "redirectUri", provider.redirect.loopbackUri,
        "The loopback URI to register. With `anyPort`, PORT stands for any free port. With `pinnedPort`, the user chooses the "
          + "port, and `authorize` needs the URI.")
      members.add("redirectPolicy", provider.redirect.redirectPolicy, "The redirect URIs that the provider accepts.")
      members.add(optional: "registrationPage", provider.shownRegistrationPage, "The page where people register a client.")
      members.add("scopes", provider.request.scopes, "The scopes that the process requests if the caller names none.")
      members.add("deviations", provider.deviations, "The members in which the provider deviates from the specification.")
      members.add("unconfirmed", provider.unconfirmed, "Members whose facts no source confirms.")
      members.add(
        optional: "sources", provider.sources.pairs.isEmpty ? nil : provider.sources,
        "Where facts come from, each with the members whose facts it states. `*` stands for all other confirmed members.")
    }
  }
}

extension Provider.Deviation: NestedObject {
  package static var sample: Provider.Deviation { Provider.Deviation(member: "", value: .null, reason: "", isUnconfirmed: true) }

  package func list(_ members: inout ObjectWriter) {
    members.add("member", member, "The member of the provider's description.")
    members.add("value", value, "The member's value.")
    members.add(optional: "reason", reason, "The reason for the deviation.")
    members.add(optional: "unconfirmed", isUnconfirmed ? true : nil, "Whether no source confirms the fact.")
  }
}
