import Jansson

@testable import OAuthCore

/// XRDS documents and key-value forms: what is read can be written and read again, and no document type declaration passes.
struct XRDSTarget: FuzzTarget {
  static let name = "xrds"

  func run(_ input: [UInt8]) {
    checkEvents(input)
    if let document = try? XRDS(input) {
      let again = try? XRDS(Self.written(document))
      require(again?.services == document.services, "the services are \(document.services), and then \(again?.services ?? [])")
      let kinds = document.openIDServices(claimedId: "https://user.example/").map(\.kind)
      let order: [OpenIDService.Kind] = [.server, .signon, .signon1]
      let places = kinds.compactMap { order.firstIndex(of: $0) }
      require(places == places.sorted(), "the services are not in their order")
      if !input.starts(with: [0xEF, 0xBB, 0xBF]), !input.starts(with: "<?xml".utf8) {
        let declared = Array(#"<!DOCTYPE XRDS [<!ENTITY e "x">]>"#.utf8) + input
        require(outcome { () throws(XMLReader.Fault) in try XRDS(declared) }.failure == .doctype, "a document type declaration passes")
      }
    }
    if let pairs = try? KeyValueForm.decode(input) {
      require(Set(pairs.map(\.name)).count == pairs.count, "a name occurs twice")
      let form = pairs.map { "\($0.name):\($0.value)\n" }.joined()
      let again = (try? KeyValueForm.decode(Array(form.utf8))) ?? []
      require(again.elementsEqual(pairs) { $0.name == $1.name && $0.value == $1.value }, "the pairs change")
    }
  }

  /// Each start has its end, and neither depth nor attributes exceed their limits.
  private func checkEvents(_ input: [UInt8]) {
    guard var reader = try? XMLReader(input) else { return }
    var (depth, roots, isWhole) = (0, 0, false)
    let failure = outcome { () throws(XMLReader.Fault) in
      while let event = try reader.next() {
        switch event {
        case .start(let element):
          if depth == 0 { roots += 1 }
          depth += 1
          require(depth <= XMLReader.depth && element.attributes.count <= XMLReader.attributes, "a limit is exceeded")
          require(!element.name.isEmpty && !element.name.contains(":"), "the name is \(element.name)")
        case .text(let text): require(depth > 0 && !text.isEmpty, "text is outside the root")
        case .end:
          depth -= 1
          require(depth >= 0, "an end has no start")
        }
      }
      isWhole = true
    }.failure
    require(failure != nil || (isWhole && depth == 0 && roots == 1), "the document has \(roots) roots and \(depth) open elements")
  }

  private static func written(_ document: XRDS) -> [UInt8] {
    func escaped(_ text: String) -> String {
      text.unicodeScalars.map { scalar in
        switch scalar {
        case "&": "&amp;"
        case "<": "&lt;"
        default: String(scalar)
        }
      }.joined()
    }
    let services = document.services.map { service in
      var text = "<Service>"
      for type in service.types { text += "<Type>\(escaped(type))</Type>" }
      for uri in service.uris { text += "<URI>\(escaped(uri))</URI>" }
      if let id = service.localId { text += "<LocalID>\(escaped(id))</LocalID>" }
      if let id = service.delegate { text += "<o:Delegate>\(escaped(id))</o:Delegate>" }
      return text + "</Service>"
    }
    let text =
      "<x:XRDS xmlns:x='\(XRDS.root)' xmlns='\(XRDS.descriptor)' xmlns:o='\(XRDS.openid1)'><XRD>\(services.joined())</XRD></x:XRDS>"
    return Array(text.utf8)
  }
}
