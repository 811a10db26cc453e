/// How long a response may be used again, in seconds.
package enum CacheLifetime {
  /// Lifetime in seconds if the response names none. Issuers announce rotations days ahead, and one fetch an hour is cheap.
  package static let usual = 3600
  /// Minimum lifetime in seconds, whatever the response says: with `no-store` every sign-in would fetch the keys twice.
  package static let shortest = 300
  /// Maximum lifetime in seconds, whatever the response says. A stolen and withdrawn key is then not trusted for weeks.
  package static let longest = 86_400

  /// Returns how long the response may be cached (RFC 9111, 5.2.2), less its age in other caches (4.2.3), within our limits.
  package static func of(_ response: HTTPResponse) -> Int {
    var seconds: Int?
    for directive in (response.header("Cache-Control") ?? "").lowercased().split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { part in part.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
      switch parts.first {
      case "no-store", "no-cache": return shortest
      case "max-age" where parts.count == 2: seconds = Int(parts[1])
      default: break
      }
    }
    guard let seconds else { return usual }
    let age = response.header("Age").flatMap(Int.init) ?? 0
    return min(max(seconds - max(0, min(age, seconds)), shortest), longest)
  }
}
