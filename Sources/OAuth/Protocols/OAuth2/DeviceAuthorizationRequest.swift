import Jansson

/// What the device authorization endpoint is asked (RFC 8628, 3.1).
package struct DeviceAuthorizationRequest: Sendable {
  package var scopes: [String]
  package var parameters: [(name: String, value: String)] = []

  /// The request as it is sent; nil when the provider has no such endpoint. The description's own parameters win over the caller's, and
  /// neither names a client, for that is ours.
  package func httpRequest(_ provider: Provider, _ client: Client) -> HTTPRequest? {
    guard let endpoint = provider.deviceAuthorizationEndpoint, let url = try? URLParts(endpoint) else { return nil }
    let manner = provider.request
    var credentials: [(String, String)] = []
    var headers: [HTTPHeader] = []
    client.authenticate(&credentials, &headers, provider.token.clientAuthentication, manner)
    let names = provider.device.deviceParameterNames
    let usualId = manner.renamed([("client_id", client.id)]).first?.0
    let name = names["client_id"] ?? usualId
    // The id has to be there however the client shows who it is: it says nothing that is secret, and most servers look for it there alone.
    credentials.removeAll { $0.0 == usualId }
    let id = name.map { [($0, client.id)] } ?? []
    var form: [(String, String)] = []
    if !scopes.isEmpty, let parameter = names["scope"] ?? manner.scopeParameter {
      form.append((parameter, scopes.joined(separator: manner.scopeSeparator)))
    }
    let own = provider.device.deviceParameters
    form = form.filter { own[$0.0] == nil } + own.pairs.map { ($0.name, $0.value) }
    form += manner.sendable(parameters).filter { extra in !form.contains { $0.0 == extra.name } }.map { ($0.name, $0.value) }
    let ours = (id + credentials).map(\.0) + ["client_id", "client_secret"]
    form.removeAll { ours.contains($0.0) }
    let isInQuery = provider.device.deviceClientIdIn == .query
    form = (isInQuery ? [] : id) + form + credentials
    var request = HTTPRequest(method: "POST", url: isInQuery ? url.appendingQuery(id).description : endpoint)
    request.headers = [
      HTTPHeader("Content-Type", "application/x-www-form-urlencoded"), HTTPHeader("Accept", "application/json"),
    ]
    request.headers += headers
    request.body = .bytes(Array(FormEncoding.encode(form).utf8))
    request.settle(provider)
    return request
  }
}
