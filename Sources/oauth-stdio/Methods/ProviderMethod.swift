import JSONRPC
import Jansson
import OAuth

/// What is known of a provider, and why it is treated as it is.
struct ProviderMethod: TaskMethod {
  static let name = "provider"
  static let summary = "What is known of a provider: its endpoints, and each deviation with its reason."

  private let reference: ProviderReference
  private let variables: NamedValues<String>
  private let timeout: Int

  init(_ fields: inout Fields) throws(FieldError) {
    reference = try fields.required("provider", "A preset's name, an https URL, or an object that describes the provider.")
    variables = try fields.optional("variables", "Values for {names} in its description, such as a tenant or a host.") ?? .init()
    timeout = try fields.providerTimeout()
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    var request = AuthorizeRequest()
    request.timeout = timeout
    try await service.discover(reference, variables, for: request)
    return Result(provider: try service.resolve(reference, variables, given: (reference, variables)))
  }

  struct Result: Answer {
    static var sample: Result { Result(provider: Provider()) }

    var provider: Provider

    func list(_ members: inout Members) {
      let endpoints = (provider.source.members ?? []).filter { $0.name.hasSuffix("Endpoint") || $0.name == "jwksUri" }
      members.add("name", provider.name, "The provider's name.")
      members.add(optional: "preset", provider.preset, "The preset that it comes from.")
      members.add("protocol", provider.protocolName, "The protocol that it speaks.")
      members.add(optional: "issuer", provider.shownIssuer, "Its issuer's identifier.")
      members.add("endpoints", NamedValues(endpoints.map { ($0.name, $0.value.string ?? "") }), "Where things are, by name.")
      members.add(optional: "apiBase", provider.api.apiBase, "What relative URLs are relative to.")
      members.add(optional: "apiHosts", provider.api.apiHosts, "Where the token may go.")
      members.add(
        optional: "redirectUri", provider.redirect.loopbackUri,
        "The loopback address to register, which authorize sends unless it is told another; with anyPort PORT is any free one each time, with "
          + "pinnedPort one of your choice, to be given to authorize.")
      members.add("redirectPolicy", provider.redirect.redirectPolicy, "Whether any port will do, one that is registered, or https alone.")
      members.add(optional: "registrationPage", provider.shownRegistrationPage, "The page where people register a client.")
      members.add("scopes", provider.request.scopes, "Scopes that are asked for if the request names none.")
      members.add(
        "deviations",
        provider.deviations.map(Deviation.init),
        "What is done otherwise than the specification has it, and why.")
      members.add("unconfirmed", provider.unconfirmed, "Members whose facts have not been confirmed with the provider.")
    }
  }

  struct Deviation: AnswerValue {
    static var sample: Deviation { Deviation(deviation: .init(member: "", value: .null, reason: "", isUnconfirmed: true)) }

    var deviation: Provider.Deviation

    func list(_ members: inout Members) {
      members.add("member", deviation.member, "The member of the provider's description.")
      members.add("value", deviation.value, "Its value.")
      members.add(optional: "reason", deviation.reason, "Why it is there.")
      members.add(
        optional: "unconfirmed", deviation.isUnconfirmed ? true : nil, "Whether the fact behind it has not been confirmed.")
    }
  }
}

/// The presets.
struct ProvidersMethod: InlineMethod {
  static let name = "providers"
  static let summary = "The names of the providers that are built in, and of those that the user's own files describe."

  init(_ fields: inout Fields) throws(FieldError) {}

  func run(_ call: Call, _ service: Service) throws -> Result {
    if let fault = service.presets.fault {
      service.log.warning(fault.message)
      service.notifier.notify(ErrorOccured(fault, account: nil, request: call.id?.json))
      return Result(names: service.presets.names)
    }
    // Those that are built in are read by a test.
    for name in try service.presets.ownNames {
      do throws(OAuthFailure) {
        _ = try service.presets.description(of: name)
      } catch {
        // One that cannot be read is told of and listed all the same, since whoever wrote it looks for it here.
        service.notifier.notify(ErrorOccured(error, account: nil, request: call.id?.json))
      }
    }
    return Result(names: try service.presets.allNames)
  }

  struct Result: Answer {
    static var sample: Result { Result(names: []) }

    var names: [String]

    func list(_ members: inout Members) {
      members.add("providers", names, "Names that authorize and provider take.")
    }
  }
}
