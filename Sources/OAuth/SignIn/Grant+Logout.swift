import OAuthCore

extension Grant {
  /// Returns the page that ends the provider's browser session for this account; nil if the provider has none.
  func logoutURL(_ provider: Provider) -> String? {
    let options = provider.logout
    guard let endpoint = options.endSessionEndpoint, Template(endpoint).names.isEmpty, let url = try? URLParts(endpoint) else { return nil }
    let values = ["clientId": client.id, "email": email, "subject": subject]
    var parameters: [(String, String)] = []
    for (name, text) in options.endSessionParameters.pairs {
      let missing = Template(text).names.filter { (values[$0] ?? nil)?.isEmpty ?? true }
      if missing.isEmpty { parameters.append((name, Template(text).filled { values[$0] ?? nil })) }
    }
    return parameters.isEmpty ? url.description : url.appendingQuery(parameters).description
  }
}
