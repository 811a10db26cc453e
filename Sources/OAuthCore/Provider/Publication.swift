import Jansson

/// What a server published about itself at a URL: an unchanged description.
///
/// A grant stores a copy, so that it works without a discovery. That copy does not prove where a secret may be sent; only a document that this
/// process fetched does.
package struct Publication: Sendable {
  package var url: String
  package var description: [JSON.Member]
  /// The server's scope. The server must not name a URL of a narrower scope. nil if an earlier version stored the document without it.
  package var scope: NetworkScope?

  package init(url: String, description: [JSON.Member], scope: NetworkScope? = nil) {
    self.url = url
    self.description = description
    self.scope = scope
  }
}
