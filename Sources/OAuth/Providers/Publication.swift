import Jansson

/// What a server has published about itself at a URL: a provider's description with nothing laid over it.
///
/// A grant keeps its own, so that it can be used without the network. It is no proof of where a secret may go: only what this process fetched is.
package struct Publication: Sendable {
  package var url: String
  package var description: [JSON.Member]
  /// The scope of the server, which names no place further inside; nil where an earlier version kept the document without it.
  package var scope: NetworkScope?
}
