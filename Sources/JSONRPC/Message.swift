import Jansson

/// A request's id, kept as it was sent: `2` and `"2"` are two ids.
package enum RequestID: Sendable, Hashable {
  case string(String)
  case integer(Int)
  /// Discouraged by the specification, but a request all the same, answered with `null`.
  case null

  package init?(_ json: JSON) {
    switch json {
    case .string(let value): self = .string(value)
    case .integer(let value): self = .integer(value)
    case .null: self = .null
    default: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .string(let value): .string(value)
    case .integer(let value): .integer(value)
    case .null: .null
    }
  }
}

/// In params, where it names another request.
extension RequestID: FieldValue {
  package static var schema: JSON { ["anyOf": [["type": "string"], ["type": "integer"]]] }
  package static var placeholder: RequestID { .null }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> RequestID {
    guard let id = RequestID(json) else { throw FieldError(path, "has to be a string or an integer, not \(json.kind)") }
    return id
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }
}

/// A request or a notification (one without an id), its params not yet looked at.
package struct Request: Sendable {
  /// nil for a notification.
  package var id: RequestID?
  package var method: String
  package var params: Params

  /// What the method was given; absent, `null`, `[]` and `{}` are all `.none`.
  package enum Params: Sendable {
    case none
    case members([JSON.Member])
    case positions([JSON])
  }
}

/// What one element of the input turned out to be.
enum Incoming {
  case request(Request)
  /// An answer to something that we never asked; passed over.
  case response
  case invalid(RequestID, RPCError)

  init(_ json: JSON) {
    guard let members = json.members else {
      self = .invalid(.null, .invalidRequest("a request has to be an object, not \(json.kind)"))
      return
    }
    var (version, givenID, givenMethod, params): (JSON?, JSON?, JSON?, JSON?)
    var isResponse = false
    // No name stands twice, so that one walk finds them all.
    for index in members.indices {
      switch members[index].name {
      case "jsonrpc": version = members[index].value
      case "id": givenID = members[index].value
      case "method": givenMethod = members[index].value
      case "params": params = members[index].value
      case "result", "error": isResponse = true
      default: break
      }
    }
    if givenMethod == nil, isResponse {
      self = .response
      return
    }
    var id: RequestID?
    if let given = givenID {
      guard let usable = RequestID(given) else {
        self = .invalid(.null, .invalidRequest("the id has to be a string or an integer, not \(given.kind)"))
        return
      }
      id = usable
    }
    guard let method = givenMethod else {
      self = .invalid(id ?? .null, .invalidRequest("the request has no method"))
      return
    }
    guard case .string("2.0")? = version else {
      self = .invalid(id ?? .null, .invalidRequest("the member jsonrpc has to be \"2.0\""))
      return
    }
    guard case .string(let name) = method else {
      self = .invalid(id ?? .null, .invalidRequest("the method has to be a string, not \(method.kind)"))
      return
    }
    switch params {
    case nil, .null?: self = .request(Request(id: id, method: name, params: .none))
    case .object(let members)?:
      self = .request(Request(id: id, method: name, params: members.isEmpty ? .none : .members(members)))
    case .array(let values)?:
      self = .request(Request(id: id, method: name, params: values.isEmpty ? .none : .positions(values)))
    case let other?:
      self = .invalid(id ?? .null, .invalidRequest("the params have to be an object or an array, not \(other.kind)"))
    }
  }
}
