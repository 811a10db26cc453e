/// The versions of the Model Context Protocol.
package enum MCPVersion {
  /// The newest version whose sessions begin with `initialize`.
  package static let handshake = "2025-11-25"
  /// All of them, newest first.
  package static let handshakes = [handshake, "2025-06-18", "2025-03-26", "2024-11-05"]
  /// The version whose requests carry their version themselves.
  package static let stateless = "2026-07-28"
}
