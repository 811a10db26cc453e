import Jansson

/// Parses the XML form in which Foundation's `NSDictionary` writes itself to a file. Supports what a token response needs.
package enum PropertyList {
  /// Why a property list cannot be read. The text is never quoted.
  package enum Fault: Error, Equatable, CustomStringConvertible {
    case binary
    case xml(XMLReader.Fault)
    case noDictionary

    package var description: String {
      switch self {
      case .binary: "is a binary property list; `plutil -convert xml1` makes one that can be read"
      case .xml(let fault): "is not a property list: \(fault)"
      case .noDictionary: "is not a property list with a dictionary"
      }
    }
  }

  /// Returns the members of the outermost dictionary that are strings, numbers or booleans. Ignores deeper ones.
  package static func dictionary(_ document: [UInt8]) throws(Fault) -> [JSON.Member] {
    if document.starts(with: "bplist".utf8) || document.starts(with: "YnBsaXN0".utf8) { throw .binary }
    let members: [JSON.Member]?
    do throws(XMLReader.Fault) {
      members = try read(withoutDoctype(document))
    } catch {
      throw .xml(error)
    }
    guard let members else { throw .noDictionary }
    return members
  }

  /// Reads the elements `plist`, `dict`, and the pairs of `key` and value inside it.
  private static func read(_ document: [UInt8]) throws(XMLReader.Fault) -> [JSON.Member]? {
    var reader = try XMLReader(document)
    var path: [String] = []
    var members: [JSON.Member]?
    var key: String?
    var text = ""
    while let event = try reader.next() {
      switch event {
      case .start(let name):
        path.append(name)
        text = ""
        if path == ["plist", "dict"], members == nil { members = [] }
      case .text(let piece): text += piece
      case .end:
        let name = path.removeLast()
        guard path == ["plist", "dict"] else { continue }
        if name == "key" {
          key = text
        } else if let named = key {
          if let value = value(name, text) { members?.append(.init(named, value)) }
          key = nil
        }
      }
    }
    return members
  }

  private static func value(_ name: String, _ text: String) -> JSON? {
    switch name {
    case "string": .string(text)
    case "integer": Int(text).map { .integer($0) }
    case "real": Double(text).map { .real($0) }
    case "true": .bool(true)
    case "false": .bool(false)
    default: nil
    }
  }

  /// Removes the declaration of Apple's document type, which every property list has. A declaration with an internal subset stays, and the XML reader
  /// rejects it.
  private static func withoutDoctype(_ document: [UInt8]) -> [UInt8] {
    let mark = Array("<!DOCTYPE plist".utf8)
    guard let start = document.indices.first(where: { document[$0...].starts(with: mark) }),
      let end = document[start...].firstIndex(of: UInt8(ascii: ">")), !document[start..<end].contains(UInt8(ascii: "["))
    else { return document }
    return Array(document[..<start] + document[(end + 1)...])
  }
}
