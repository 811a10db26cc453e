import Jansson
import Synchronization

/// A request or a notification (one without an id), with unchecked params.
package struct Request: Sendable {
  /// nil for a notification.
  package var id: ID?
  package var method: String
  package var params: Params

  /// The params. Absent, `null`, `[]` and `{}` are all `.none`.
  package enum Params: Sendable {
    case none
    case members([JSON.Member])
    case positions([JSON])
  }

  package init(id: ID?, method: String, params: Params) { (self.id, self.method, self.params) = (id, method, params) }
}

extension Request {
  /// A request's id. Its type matters: `2` and `"2"` are different ids.
  package enum ID: Sendable, Hashable {
    case string(String)
    case integer(Int)
    /// Discouraged by the specification, but a valid request, answered with id `null`.
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
}

/// For params that contain another request's id.
extension Request.ID: FieldValue {
  package static var schema: JSON { ["anyOf": [["type": "string"], ["type": "integer"]]] }
  package static var placeholder: Request.ID { .null }

  package static func read(_ json: JSON, at path: String) throws(FieldError) -> Request.ID {
    guard let id = Request.ID(json) else { throw FieldError(path, "must be a string or an integer, not \(json.kind)") }
    return id
  }

  package func write(to writer: inout JSONWriter) { writer.value(json) }
}

extension Request {
  /// The kind of one element of the input.
  enum Incoming {
    case request(Request)
    /// An unexpected response, because this process sends no requests. Ignored.
    case response
    case invalid(ID, RPCError)

    init(_ json: JSON) {
      // What an invalid request is answered with.
      var id = ID.null
      do throws(RPCError) { self = try Self.read(json, &id) } catch { self = .invalid(id, error) }
    }

    private static func read(_ json: JSON, _ readID: inout ID) throws(RPCError) -> Incoming {
      guard let members = json.members else { throw .invalidRequest("a request must be an object, not \(json.kind)") }
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
      if givenMethod == nil, isResponse { return .response }
      let id = givenID.flatMap { ID($0) }
      if let givenID, id == nil { throw .invalidRequest("the id must be a string or an integer, not \(givenID.kind)") }
      readID = id ?? .null
      guard let method = givenMethod else { throw .invalidRequest("the request has no method") }
      guard case .string("2.0")? = version else { throw .invalidRequest("the member jsonrpc must be \"2.0\"") }
      guard case .string(let name) = method else { throw .invalidRequest("the method must be a string, not \(method.kind)") }
      switch params {
      case nil, .null?: return .request(Request(id: id, method: name, params: .none))
      case .object(let members)?: return .request(Request(id: id, method: name, params: members.isEmpty ? .none : .members(members)))
      case .array(let values)?: return .request(Request(id: id, method: name, params: values.isEmpty ? .none : .positions(values)))
      case let other?: throw .invalidRequest("the params must be an object or an array, not \(other.kind)")
      }
    }
  }
}

/// Collects the answers of one batch and sends them as one array when the last is there (JSON-RPC 2.0 §6). A batch of notifications sends nothing.
final class Batch: Sendable {
  private struct State {
    var open: Int
    var answers: [[UInt8]] = []
  }

  private let state: Mutex<State>
  private let send: @Sendable ([UInt8]) -> Void

  init(count: Int, send: @escaping @Sendable ([UInt8]) -> Void) {
    state = Mutex(State(open: count))
    self.send = send
  }

  /// Records that one element is done. A notification has no answer.
  func done(_ answer: [UInt8]?) {
    let finished = state.withLock { state -> [[UInt8]]? in
      state.open -= 1
      if let answer { state.answers.append(answer) }
      return state.open == 0 ? state.answers : nil
    }
    guard let finished, !finished.isEmpty else { return }
    send([UInt8(ascii: "[")] + finished.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
  }
}
