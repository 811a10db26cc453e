/// An XRDS document for Yadis (OpenID Authentication 2.0, 7.3.2.2): the services of its last XRD.
package struct XRDS: Sendable, Equatable {
  package struct Service: Sendable, Equatable {
    package var types: [String] = []
    /// Sorted by priority.
    var uris: [String] = []
    var localId: String?
    /// OpenID 1.1's name for the local identifier.
    package var delegate: String?
    fileprivate var priority: Int?
    fileprivate var prioritised: [(uri: String, priority: Int?)] = []

    package static func == (a: Service, b: Service) -> Bool {
      a.types == b.types && a.uris == b.uris && a.localId == b.localId && a.delegate == b.delegate
    }
  }

  package static let root = "xri://$xrds"
  package static let descriptor = "xri://$xrd*($v*2.0)"
  static let openid1 = "http://openid.net/xmlns/1.0"

  /// Sorted by priority; services of equal or no priority stay in document order.
  package private(set) var services: [Service] = []

  package init(_ document: [UInt8]) throws(XMLReader.Fault) {
    var reader = try XMLReader(document)
    var path: [XMLReader.Element] = []
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start(let element):
        path.append(element)
        text = ""
        try begin(path)
      case .text(let piece): text += piece
      case .end:
        end(path, text)
        path.removeLast()
        text = ""
      }
    }
    for index in services.indices {
      services[index].uris = Self.sorted(services[index].prioritised, by: \.priority).map(\.uri)
      services[index].prioritised = []
    }
    services = Self.sorted(services, by: \.priority)
  }

  private mutating func begin(_ path: [XMLReader.Element]) throws(XMLReader.Fault) {
    let element = path[path.count - 1]
    switch path.count {
    case 1: if !element.isNamed("XRDS", Self.root) { throw .malformed }
    // Only the last XRD describes the identifier itself. Earlier ones describe the names that led to it.
    case 2: if element.isNamed("XRD", Self.descriptor) { services = [] }
    case 3:
      guard path[1].isNamed("XRD", Self.descriptor), element.isNamed("Service", Self.descriptor) else { return }
      services.append(Service(priority: Self.priority(element)))
    default: break
    }
  }

  private mutating func end(_ path: [XMLReader.Element], _ text: String) {
    guard path.count == 4, path[1].isNamed("XRD", Self.descriptor), path[2].isNamed("Service", Self.descriptor),
      let last = services.indices.last
    else { return }
    let element = path[3]
    let value = Self.trimmed(text)
    guard !value.isEmpty else { return }
    if element.isNamed("Type", Self.descriptor) {
      services[last].types.append(value)
    } else if element.isNamed("URI", Self.descriptor) {
      services[last].prioritised.append((value, Self.priority(element)))
    } else if element.isNamed("LocalID", Self.descriptor) {
      services[last].localId = services[last].localId ?? value
    } else if element.isNamed("Delegate", Self.openid1) {
      services[last].delegate = services[last].delegate ?? value
    }
  }

  /// Returns a non-negative integer. The lowest comes first, a missing priority last (XRI Resolution 2.0, 4.3.3).
  private static func priority(_ element: XMLReader.Element) -> Int? {
    element.attributes["priority"].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func sorted<Element>(_ elements: [Element], by priority: (Element) -> Int?) -> [Element] {
    elements.enumerated()
      .sorted { a, b in (priority(a.element) ?? .max, a.offset) < (priority(b.element) ?? .max, b.offset) }
      .map(\.element)
  }

  private static func trimmed(_ text: String) -> String {
    var rest = Substring(text).utf8.drop(while: XMLReader.isSpace)
    while let last = rest.last, XMLReader.isSpace(last) { rest.removeLast() }
    return String(Substring(rest))
  }
}

extension XMLReader.Element {
  fileprivate func isNamed(_ name: String, _ namespace: String) -> Bool { self.name == name && self.namespace == namespace }
}

extension XRDS {
  /// Returns the OpenID services in the order to try them: providers' own identifiers first (7.3.2.2), OpenID 1.1 last.
  func openIDServices(claimedId: String) -> [OpenIDService] {
    let kinds: [(type: [String], kind: OpenIDService.Kind)] = [
      (["http://specs.openid.net/auth/2.0/server"], .server), (["http://specs.openid.net/auth/2.0/signon"], .signon),
      (["http://openid.net/signon/1.1", "http://openid.net/signon/1.0"], .signon1),
    ]
    return kinds.flatMap { types, kind in
      services.filter { $0.types.contains(where: types.contains) }.flatMap { service in
        service.uris.map { uri in
          OpenIDService(
            kind: kind, endpoint: uri, claimedId: kind == .server ? nil : claimedId,
            localId: kind == .server ? nil : kind == .signon ? service.localId : service.delegate ?? service.localId)
        }
      }
    }
  }
}
