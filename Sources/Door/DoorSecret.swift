import OAuthCore

/// The secret with which programs use the door. It may stand wherever a program puts a credential, so that no program has to be changed.
package struct DoorSecret: Sendable {
  /// Headers of keys of well-known APIs, for an account whose provider takes its token elsewhere.
  private static let headers = ["x-api-key", "private-token"]

  private let secret: Secret

  package init(_ secret: Secret) { self.secret = secret }

  /// Where a request had the secret.
  package enum Found: Sendable { case none, key, password }

  /// Removes the secret from the request. Throws if it is still somewhere: the service would get it.
  /// `place` is where the provider's API takes its token. It is read from the grant, so only a request without the secret in a usual place asks.
  package func take(
    from request: inout DoorRequest, place: () -> APIOptions.CredentialPlace = { .init() }
  ) throws(DoorFailure) -> Found {
    guard request.headers.count(where: { $0.isNamed("authorization") }) <= 1 else {
      throw .badRequest("there are two Authorization headers")
    }
    var found = Found.none
    remove(["authorization"] + Self.headers, from: &request.headers, &found)
    if found == .none || isIn(request) {
      let place = place()
      remove([place.header?.lowercased()].compactMap(\.self), from: &request.headers, &found)
      if let query = place.query { remove(query, from: &request.path, &found) }
    }
    guard !isIn(request) else { throw .badRequest("the door's secret stands in a place from which it would go to the service") }
    return found
  }

  /// A secret of the user's own may have signs that programs encode.
  private func isIn(_ request: DoorRequest) -> Bool {
    let path = PercentEncoding.decodeLeniently(Array(request.path.utf8)[...], plusIsBlank: false)
    let line = [request.account, request.host ?? "", request.path, String(decoding: path, as: UTF8.self)]
    let texts = line + request.headers.flatMap { [$0.name, $0.value] }
    return Array(texts.joined(separator: "\n").utf8).contains(bytes: Array(secret.value.utf8))
  }

  /// Returns the credential in a header: behind Bearer or token (GitHub's), or the password of Basic (RFC 7617).
  private static func candidate(_ header: HTTPHeader) -> (text: String, isPassword: Bool) {
    let parts = header.value.split(separator: " ", maxSplits: 1).map(String.init)
    guard header.isNamed("authorization"), parts.count == 2 else { return (header.value, false) }
    guard parts[0].lowercased() == "basic" else { return (["bearer", "token"].contains(parts[0].lowercased()) ? parts[1] : "", false) }
    let pair = (try? Base64.decode(parts[1])) ?? []
    return (String(decoding: pair.drop { $0 != UInt8(ascii: ":") }.dropFirst(), as: UTF8.self), true)
  }

  private func remove(_ names: [String], from headers: inout [HTTPHeader], _ found: inout Found) {
    headers.removeAll { header in
      guard names.contains(where: header.isNamed) else { return false }
      let candidate = Self.candidate(header)
      guard Secret(candidate.text) == secret else { return false }
      if found != .password { found = candidate.isPassword ? .password : .key }
      return true
    }
  }

  /// Removes the parameter's own pairs; the others keep their order and spelling.
  private func remove(_ name: String, from path: inout String, _ found: inout Found) {
    guard let mark = path.firstIndex(of: "?") else { return }
    let pairs = path[path.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let rest = pairs.filter { pair in !FormEncoding.decodeLeniently(String(pair)).contains { $0.0 == name && Secret($0.1) == secret } }
    guard rest.count < pairs.count else { return }
    if found == .none { found = .key }
    path = String(path[..<mark]) + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
  }
}
