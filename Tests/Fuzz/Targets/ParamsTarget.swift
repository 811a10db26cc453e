@testable import JSONRPC
@testable import Jansson
@testable import Methods

/// Requests to the real methods: whatever their readers accept fits the schema that they declare. No method runs.
struct ParamsTarget: FuzzTarget {
  static let name = "params"

  /// The dictionary contains this secret. No error may quote it.
  private static let secret = "S3CRET"
  private static let unknown = "no such member"

  /// One method's reader and its description.
  private struct Reader: Sendable {
    let name: String
    let rejectsUnknownMembers: Bool
    let declarations: [ObjectReader.Declaration]
    let read: @Sendable (inout ObjectReader) throws(FieldError) -> Void

    init<M: Method>(_ type: M.Type) throws {
      (name, rejectsUnknownMembers, declarations) = (M.name, M.rejectsUnknownMembers, try M.declarations)
      read = { fields throws(FieldError) in _ = try M.read(&fields, rejectingUnknownMembers: M.rejectsUnknownMembers) }
    }

    func failure(_ members: [JSON.Member]) -> FieldError? {
      outcome { () throws(FieldError) in
        var fields = ObjectReader(members)
        try read(&fields)
      }.failure
    }

    func failure(positions: [JSON]) -> FieldError? {
      outcome { () throws(FieldError) in
        var fields = ObjectReader(positions: positions)
        try read(&fields)
      }.failure
    }
  }

  private let readers: [Reader]

  init() throws {
    readers = try Methods.all.map { try Self.reader(of: $0.type) }
  }

  private static func reader<M: Method>(of type: M.Type) throws -> Reader { try Reader(type) }

  func run(_ input: [UInt8]) {
    guard let json = try? JSON.parse(input), case .request(let request) = Request.Incoming(json),
      let reader = readers.first(where: { $0.name == request.method })
    else { return }
    switch request.params {
    case .none: checkMembers(reader, [])
    case .members(let members): checkMembers(reader, members)
    case .positions(let values): checkPositions(reader, values)
    }
  }

  private func checkMembers(_ reader: Reader, _ members: [JSON.Member]) {
    let failure = reader.failure(members)
    if let failure {
      checkError(failure, .object(members))
    } else {
      let schema = ObjectReader.objectSchema(reader.declarations, isClosed: reader.rejectsUnknownMembers)
      let fault = SchemaCheck.fault(.object(members), schema)
      require(fault == nil, "\(reader.name) accepts what its schema does not: \(fault ?? "")")
    }
    require((reader.failure(members.reversed()) == nil) == (failure == nil), "the order of the members decides")
    if members.allSatisfy({ $0.name != Self.unknown }) {
      let extended = reader.failure(members + [.init(Self.unknown, 1)])
      require((extended == nil) == (failure == nil && !reader.rejectsUnknownMembers), "an unknown member decides otherwise")
    }
    // By position, null means absent. Where null is a value, the two ways differ.
    let names = reader.declarations.map(\.name)
    guard members.allSatisfy({ names.contains($0.name) }), reader.declarations.allSatisfy({ $0.schema != .object([]) }) else { return }
    let positions = names.map { JSON.object(members)[$0] ?? .null }
    require((reader.failure(positions: positions) == nil) == (failure == nil), "params by position are read otherwise")
  }

  private func checkPositions(_ reader: Reader, _ values: [JSON]) {
    if let failure = reader.failure(positions: values) {
      checkError(failure, .array(values))
    } else {
      require(values.count <= reader.declarations.count, "a value after the last position is accepted")
    }
  }

  /// The path leads to a value, or to a member that is missing in one. The text is fit for a log.
  private func checkError(_ error: FieldError, _ params: JSON) {
    require(error.problem.plain == error.problem && !error.problem.isEmpty, "the problem is not plain text")
    require(!error.problem.quotes(Self.secret) || Self.names(params).quotes(Self.secret), "an error quotes a value")
    guard error.path.utf8.count < 100 else { return }
    var place: JSON? = params
    let steps = error.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    require(error.path.isEmpty || error.path.hasPrefix("/"), "\(error.path) is not a pointer")
    for (index, step) in steps.enumerated() {
      let name = Self.unescaped(step)
      let next = place?[name] ?? place?.array.flatMap { array in Int(name).flatMap { array.indices.contains($0) ? array[$0] : nil } }
      require(next != nil || index == steps.count - 1 || isPositional(params), "\(error.path) leads nowhere")
      place = next
    }
  }

  private func isPositional(_ params: JSON) -> Bool { params.array != nil }

  private static func unescaped(_ step: Substring) -> String {
    step.split(separator: "~1", omittingEmptySubsequences: false).map {
      $0.split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }.joined(separator: "/")
  }

  /// All member names as one text.
  private static func names(_ json: JSON) -> String {
    switch json {
    case .array(let values): values.map(names).joined(separator: " ")
    case .object(let members): members.map { "\($0.name) \(names($0.value))" }.joined(separator: " ")
    default: ""
    }
  }
}
