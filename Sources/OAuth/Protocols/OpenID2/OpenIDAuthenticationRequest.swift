import Jansson

/// What the user's browser is sent to the provider with (OpenID Authentication 2.0, section 9.1).
package struct OpenIDAuthenticationRequest: Sendable {
  /// How much of the specification a provider wants to see.
  package enum Dialect: String, FieldWord {
    case standard
    /// Neither namespaces nor realm nor identity, as Spark takes it.
    case bare
  }

  package var service: OpenIDService
  package var dialect = Dialect.standard
  /// Where the answer comes to, with our own `state` in its query where the provider echoes none.
  package var returnTo: String
  /// The part of the web that the user is asked to trust; `return_to` lies in it (9.2).
  package var realm: String?
  /// Parameters that say who asks, next to the mode.
  package var client: [(name: String, value: String)] = []
  package var registration = SimpleRegistration()
  package var attributes = AttributeExchange()
  /// The consumer and the scope of the request token that is to be approved with the sign-in (OpenID OAuth Extension 1.0).
  package var oauth: (consumer: String, scope: String)?
  package var parameters: [(name: String, value: String)] = []

  package init(service: OpenIDService, returnTo: String) {
    self.service = service
    self.returnTo = returnTo
  }

  /// The URL to open; nil when the endpoint is no URL. Extra parameters come last and never replace ours.
  package var url: String? {
    guard let endpoint = try? URLParts(service.endpoint) else { return nil }
    var query = client
    var fields: [(name: String, value: String)] = []
    let declares = dialect == .standard && service.kind != .signon1
    switch dialect {
    case .standard where service.kind == .signon1:
      // OpenID Authentication 1.1, 4.2.1: no namespace, one identifier, and another name for the realm.
      query.append(("openid.mode", "checkid_setup"))
      fields = [("identity", service.localId ?? service.claimedId ?? ""), ("return_to", returnTo), ("trust_root", realm ?? returnTo)]
    case .bare:
      query.insert(("openid.mode", "checkid_setup"), at: 0)
      fields = [("return_to", returnTo)]
    case .standard:
      query += [("openid.ns", OpenIDMessage.namespace), ("openid.mode", "checkid_setup")]
      // Whoever comes by a provider's own identifier says there who he is (9.1).
      let claimed = service.claimedId ?? OpenIDMessage.identifierSelect
      fields = [("claimed_id", claimed), ("identity", service.claimedId == nil ? claimed : service.localId ?? claimed)]
      fields += [("return_to", returnTo), ("realm", realm ?? returnTo)]
    }
    fields += registration.fields(declaring: declares) + attributes.fields(declaring: declares)
    if let oauth {
      if declares { fields.append(("ns.oauth", OpenIDMessage.oauth)) }
      fields += [("oauth.consumer", oauth.consumer), ("oauth.scope", oauth.scope)]
    }
    query += fields.map { ("openid." + $0.name, $0.value) }
    query += parameters.filter { extra in !query.contains { $0.name == extra.name } }
    return endpoint.appendingQuery(query.map { ($0.name, $0.value) }).description
  }

  /// Whether the URL lies in the realm (9.2): the same scheme and port, the same host or one below `*.`, and a path below the realm's.
  package static func isRealm(_ realm: String, of url: String) -> Bool {
    let isWild = realm.contains("://*.")
    let plain = isWild ? realm.split(separator: "://*.", maxSplits: 1).joined(separator: "://") : realm
    guard let realm = try? URLParts(plain), let url = try? URLParts(url), realm.fragment == nil else { return false }
    // A wildcard over a whole top level would be everybody's (9.2 leaves the judgement to the provider; this much is certain).
    if isWild, !realm.host.contains(".") { return false }
    guard realm.scheme == url.scheme, realm.port == url.port,
      url.host == realm.host || (isWild && url.host.hasSuffix("." + realm.host))
    else { return false }
    let path = realm.path.isEmpty ? "/" : realm.path
    let urlPath = url.path.isEmpty ? "/" : url.path
    return urlPath == path || (urlPath.hasPrefix(path) && (path.hasSuffix("/") || urlPath.dropFirst(path.count).hasPrefix("/")))
  }
}
