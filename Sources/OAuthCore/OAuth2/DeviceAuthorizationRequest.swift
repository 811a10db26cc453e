/// A request to the device authorization endpoint (RFC 8628, 3.1).
package enum DeviceAuthorizationRequest {
  /// Returns the HTTP request; nil when the provider has no such endpoint.
  ///
  /// The description's parameters win over the caller's. Neither can set the client's id or secret.
  package static func httpRequest(
    _ provider: Provider, _ client: Client, scopes: [String], parameters: [(name: String, value: String)] = []
  ) -> HTTPRequest? {
    guard let endpoint = provider.deviceAuthorizationEndpoint, (try? URLParts(endpoint)) != nil else { return nil }
    let options = provider.request
    var credentials: [(String, String)] = []
    var headers: [HTTPHeader] = []
    client.authenticate(&credentials, &headers, provider.token.clientAuthentication, options)
    let names = provider.device.deviceParameterNames
    let usualId = options.renamed([("client_id", client.id)]).first?.0
    let name = names["client_id"] ?? usualId
    // The client id is always sent, whichever way the client authenticates: it is not secret, and most servers look for it only here.
    credentials.removeAll { $0.0 == usualId }
    let id = name.map { [($0, client.id)] } ?? []
    var form: [(String, String)] = []
    if !scopes.isEmpty, let parameter = names["scope"] ?? options.scopeParameter {
      form.append((parameter, scopes.joined(separator: options.scopeSeparator)))
    }
    let own = provider.device.deviceParameters
    form = form.filter { own[$0.0] == nil } + own.pairs.map { ($0.name, $0.value) }
    form += options.sendable(parameters).filter { extra in !form.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
    let ours = (id + credentials).map(\.0) + ["client_id", "client_secret"]
    form.removeAll { ours.contains($0.0) }
    let isInQuery = provider.device.deviceClientIdIn == .query
    form = (isInQuery ? [] : id) + form + credentials
    var request = HTTPRequest.form(endpoint, form, headers: headers, provider, client)
    if isInQuery, let url = try? URLParts(request.url) { request.url = url.appendingQuery(id).description }
    return request
  }
}
