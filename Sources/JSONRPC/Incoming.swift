import Jansson

/// The kind of one element of the input.
enum Incoming {
  case request(Request)
  /// An unexpected response, because this process sends no requests. Ignored.
  case response
  case invalid(RequestID, RPCError)

  init(_ json: JSON) {
    guard let members = json.members else {
      self = .invalid(.null, .invalidRequest("a request must be an object, not \(json.kind)"))
      return
    }
    var (version, givenID, givenMethod, params): (JSON?, JSON?, JSON?, JSON?)
    var isResponse = false
    // No name occurs twice, so a single pass finds all members.
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
        self = .invalid(.null, .invalidRequest("the id must be a string or an integer, not \(given.kind)"))
        return
      }
      id = usable
    }
    guard let method = givenMethod else {
      self = .invalid(id ?? .null, .invalidRequest("the request has no method"))
      return
    }
    guard case .string("2.0")? = version else {
      self = .invalid(id ?? .null, .invalidRequest("the member jsonrpc must be \"2.0\""))
      return
    }
    guard case .string(let name) = method else {
      self = .invalid(id ?? .null, .invalidRequest("the method must be a string, not \(method.kind)"))
      return
    }
    switch params {
    case nil, .null?: self = .request(Request(id: id, method: name, params: .none))
    case .object(let members)?:
      self = .request(Request(id: id, method: name, params: members.isEmpty ? .none : .members(members)))
    case .array(let values)?:
      self = .request(Request(id: id, method: name, params: values.isEmpty ? .none : .positions(values)))
    case let other?:
      self = .invalid(id ?? .null, .invalidRequest("the params must be an object or an array, not \(other.kind)"))
    }
  }
}
