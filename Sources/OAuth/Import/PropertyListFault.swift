import OAuthCore

/// Why a property list cannot be read. The text is never quoted.
enum PropertyListFault: Error, Equatable, CustomStringConvertible {
  case binary
  case xml(XMLReader.Fault)
  case noDictionary

  package var description: String {
    switch self {
    case .binary: "is a binary property list; `plutil -convert xml1` makes one that can be read"
    case .xml(let fault): "is no property list: \(fault)"
    case .noDictionary: "is no property list with a dictionary"
    }
  }
}
