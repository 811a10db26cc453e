/// An XRDS document as Yadis uses it (OpenID Authentication 2.0, 7.3.2.2): the services of its last XRD.
struct XRDS: Sendable, Equatable {
  struct Service: Sendable, Equatable {
    var types: [String] = []
    /// In the order of their priorities.
    var uris: [String] = []
    var localId: String?
    /// OpenID 1.1's name for the same.
    var delegate: String?
    fileprivate var priority: Int?
    fileprivate var prioritised: [(uri: String, priority: Int?)] = []

    static func == (a: Service, b: Service) -> Bool {
      a.types == b.types && a.uris == b.uris && a.localId == b.localId && a.delegate == b.delegate
    }
  }

  static let root = "xri://$xrds"
  static let descriptor = "xri://$xrd*($v*2.0)"
  static let openid1 = "http://openid.net/xmlns/1.0"

  /// In the order of their priorities; those of the same, or without one, as the document has them.
  private(set) var services: [Service] = []

  init(_ document: [UInt8]) throws(XMLFault) {
    var reader = try XMLReader(document)
    var path: [XMLElement] = []
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

  private mutating func begin(_ path: [XMLElement]) throws(XMLFault) {
    let element = path[path.count - 1]
    switch path.count {
    case 1: if !element.isNamed("XRDS", Self.root) { throw .malformed }
    // Only the last descriptor is about what was looked up; those before it are of the names that led there.
    case 2: if element.isNamed("XRD", Self.descriptor) { services = [] }
    case 3:
      guard path[1].isNamed("XRD", Self.descriptor), element.isNamed("Service", Self.descriptor) else { return }
      services.append(Service(priority: Self.priority(element)))
    default: break
    }
  }

  private mutating func end(_ path: [XMLElement], _ text: String) {
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

  /// A non-negative integer; the lowest comes first, none comes last (XRI Resolution 2.0, 4.3.3).
  private static func priority(_ element: XMLElement) -> Int? {
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

extension XMLElement {
  fileprivate func isNamed(_ name: String, _ namespace: String) -> Bool { self.name == name && self.namespace == namespace }
}

extension XRDS {
  /// The services that speak OpenID, in the order in which they are to be tried: providers' own first (7.3.2.2), OpenID 1.1 last.
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
