import Jansson

extension Provider {
  /// The names that the redirect, the token response or the lookup after the sign-in fills in, and the client id.
  package var lateNames: [String] {
    request.callbackMembers + tokenResponse.tokenMembers.map(\.name) + (afterSignIn?.names ?? []) + ["clientId"]
  }

  /// Returns the provider with its {names} filled in: from the account's redirect and token response, else from `variables`.
  ///
  /// A value from a server that changes a host must lead to one of `endpointHosts` or `apiHosts`: otherwise the server could have tokens sent to
  /// itself. With `isComplete`, no more values will come, so a missing one is an error.
  package func filled(with attributes: NamedValues<String>, client: Client, isComplete: Bool = false) throws(OAuthFailure) -> Provider {
    var provider = self
    for endpoint in Endpoint.all {
      guard let text = self[keyPath: endpoint.place], text.utf8.contains(UInt8(ascii: "{")) else { continue }
      provider[keyPath: endpoint.place] = try filled(text, endpoint.member, attributes, client, isComplete)
    }
    if let base = provider.api.apiBase, base != api.apiBase, api.apiHosts != nil, let url = try? URLParts(base) {
      provider.api.apiHosts?.append(url.host + (url.explicitPort.map { ":\($0)" } ?? ""))
    }
    provider.api.apiHeaders = try filled(api.apiHeaders, attributes, client)
    provider.token.tokenHeaders = try filled(token.tokenHeaders, attributes, client)
    return provider
  }

  private func filled(
    _ headers: NamedValues<String>, _ attributes: NamedValues<String>, _ client: Client
  ) throws(OAuthFailure) -> NamedValues<String> {
    var headers = headers
    for (index, (name, text)) in headers.pairs.enumerated() {
      let value = Template(text).filled { attributes[$0] ?? ($0 == "clientId" ? client.id : variables[$0]) }
      guard !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw .untrusted("a value for the header \(name) has control characters")
      }
      headers.pairs[index].value = value
    }
    return headers
  }

  private func filled(
    _ text: String, _ member: String, _ attributes: NamedValues<String>, _ client: Client, _ isComplete: Bool
  ) throws(OAuthFailure) -> String {
    let filled = Template(text).filledURL { name in
      if let value = attributes[name] { return (value, true) }
      return name == "clientId" ? (client.id, false) : variables[name].map { ($0, false) }
    }
    guard let filled else { throw .untrusted("a value from the provider does not fit into its \(member)") }
    // The access token is filled in only for the revocation.
    if let name = Template(filled.text).names.first(where: { !Self.isToken($0, member) }) {
      // The request after the sign-in will still fill it in.
      if isComplete, afterSignIn?.names.contains(name) != true {
        throw .untrusted("the provider returned no \(name), which its \(member) needs")
      }
      return filled.text
    }
    let sample = Template(filled.text).sample
    let isPage = member == "authorizationEndpoint" && protocolName == .oauth2
    guard Self.problem(ofEndpoint: sample, isPage: isPage) == nil, let url = try? URLParts(sample) else {
      throw .untrusted("the provider's \(member) with its values filled in is not an https URL")
    }
    guard !filled.leadsElsewhere || AllowedHosts(patterns: api.endpointHosts + (api.apiHosts ?? [])).allows(url) else {
      throw .untrusted("the provider returned \(url.host) for its \(member), which is not one of its hosts")
    }
    return filled.text
  }

  /// The {names} that can never have a value and would be sent literally, with the member that needs the first of them.
  package struct Unfilled {
    package fileprivate(set) var path = ""
    package fileprivate(set) var names: [String] = []

    package var message: String {
      let values = "\"variables\": {\(names.map { "\"\($0)\": …" }.joined(separator: ", "))} next to `provider`"
      if names.count == 1 { return "\(path) needs a value for {\(names[0])}: give one as \(values)" }
      return "\(path) needs values for \(names.map { "{\($0)}" }.joined(separator: ", ")): give them as \(values)"
    }

    fileprivate mutating func look(at text: String, _ path: String, unless isKnown: (String) -> Bool) {
      guard text.utf8.contains(UInt8(ascii: "{")) else { return }
      for name in Template(text).names where !isKnown(name) && !names.contains(name) {
        if names.isEmpty { self.path = path }
        names.append(name)
      }
    }
  }

  /// Returns all {names} without a value, so that the user can give them at once; nil if there are none.
  package func unfilled() throws(FieldError) -> Unfilled? {
    var unfilled = Unfilled()
    let late = Set(lateNames)
    for (member, text) in Endpoint.all.map({ ($0.member, self[keyPath: $0.place] ?? "") }) {
      // Before the redirect, only variables have values.
      let isFirst = ["authorizationEndpoint", "deviceAuthorizationEndpoint"].contains(member)
      unfilled.look(at: text, "/provider/\(member)") { name in
        name == "clientId" || Self.isToken(name, member) || (late.contains(name) && (!isFirst || variables[name] != nil))
      }
    }
    // An issuer with tenants keeps its placeholder for the ID token's tenant.
    unfilled.look(at: issuer ?? "", "/provider/issuer") { $0 == "tenantid" }
    for (member, alias) in mtlsEndpoints.pairs {
      unfilled.look(at: alias, ObjectReader.pointer(to: member, in: "/provider/mtlsEndpoints")) { _ in false }
    }
    for (index, host) in (api.apiHosts ?? []).enumerated() { unfilled.look(at: host, "/provider/apiHosts/\(index)") { _ in false } }
    for (index, host) in api.endpointHosts.enumerated() { unfilled.look(at: host, "/provider/endpointHosts/\(index)") { _ in false } }
    for (member, headers) in [("apiHeaders", api.apiHeaders), ("tokenHeaders", token.tokenHeaders)] {
      for (name, value) in headers.pairs {
        unfilled.look(at: value, ObjectReader.pointer(to: name, in: "/provider/\(member)")) { late.contains($0) }
      }
    }
    let parameters = [
      ("authorizationParameters", request.authorizationParameters), ("tokenParameters", token.tokenParameters),
      ("refreshParameters", token.refreshParameters),
    ]
    for (member, values) in parameters {
      for (name, value) in values.pairs {
        // A parameter may contain JSON, whose braces are not followed by a name.
        unfilled.look(at: value, ObjectReader.pointer(to: name, in: "/provider/\(member)")) { found in
          !found.allSatisfy { $0.isLetter || $0 == "-" || $0 == "_" }
        }
      }
    }
    if !unfilled.names.isEmpty { return unfilled }
    if let template = issuer.map(IssuerTemplate.init), template.isForTenants, !template.hasTenantInPath {
      throw FieldError("/provider/issuer", "may have \(IssuerTemplate.tenantName) only in its path")
    }
    return nil
  }

  private static func isToken(_ name: String, _ member: String) -> Bool { name == "accessToken" && member == "revocationEndpoint" }
}

extension Provider {
  /// Gives a sample value to each {name} that only the redirect or the token response would fill in and that has no variable. For display only.
  package mutating func fillWithPlaceholders() {
    let origins = Endpoint.all.compactMap { self[keyPath: $0.place] }
    for name in lateNames where name != "clientId" && variables[name] == nil {
      let stem = name.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
      // A scheme and a host are required here. `.invalid` is reserved for this (RFC 2606).
      let isOrigin = origins.contains { $0.hasPrefix("{\(name)}") }
      variables.pairs.append((name, isOrigin ? "https://\(stem.lowercased()).invalid" : stem.uppercased()))
    }
    // The sample redirect must not replace these values.
    request.callbackMembers = []
  }
}
