import Jansson

/// What a service's JSON says beside what was asked for: whether it worked, and what has gone wrong. Read from a copy; the body itself is passed on as it came.
package struct APIEnvelope: Sendable {
  /// What the service says has gone wrong, as it stands in an error's data.
  package struct ServiceError: Sendable, Equatable {
    package var members: [JSON.Member]
  }

  let json: JSON
  private let places: EnvelopePlaces

  /// nil where the provider's description asks for nothing in it; a body that is no JSON has an envelope with nothing in it.
  init?(_ body: [UInt8], _ manner: APIManner) {
    guard manner.apiErrors != nil || manner.pagination?.readsBody == true else { return nil }
    places = manner.apiErrors ?? EnvelopePlaces()
    json = Self.read(body)
  }

  private static func read(_ body: [UInt8]) -> JSON {
    do throws(JSONFault) {
      return try JSON.parse(body)
    } catch {
      // A number beyond 64 bits somewhere is no reason to miss an error.
      if case .numberOutOfRange(let rest?) = error { return rest }
      return .null
    }
  }

  /// The service's own code as text, as descriptions list codes.
  var codeText: String? { places.code?.value(in: json)?.scalarText }

  /// What has gone wrong in an answer with this status; nil where nothing has. `code` is -1 where its place is known and empty, as Spark's own library has it.
  /// Only an error has text to clean, and what cleans it costs a tenth of a call.
  func error(status: Int, hiding redaction: @autoclosure () -> Redaction) -> ServiceError? {
    guard status >= 400 || places.success?.value(in: json)?.saysSuccess == false else { return nil }
    let hidden = redaction()
    var members: [JSON.Member] = []
    if let place = places.code { members.append(.init("code", place.value(in: json).flatMap { Self.clean($0, hidden, 0) } ?? -1)) }
    if let message = places.message?.value(in: json)?.scalarText, !message.isEmpty {
      members.append(.init("serviceMessage", .string(hidden.clean(message))))
    }
    if let details = places.details?.value(in: json).flatMap({ Self.clean($0, hidden, 0) }) {
      members.append(.init("serviceDetails", details))
    }
    return members.isEmpty && status >= 400 ? nil : ServiceError(members: members)
  }

  /// JSON that may stand in our data: few and short values, exact integers, nothing that was sent.
  private static func clean(_ json: JSON, _ hidden: Redaction, _ depth: Int) -> JSON? {
    switch json {
    case .integer(let value) where value.magnitude <= 9_007_199_254_740_991: .integer(value)
    case .integer(let value): .string(String(value))
    case .real(let value) where value == value.rounded() && value.magnitude <= 9_007_199_254_740_991: .integer(Int(value))
    case .string(let text): .string(hidden.clean(text))
    case .bool(let value): .bool(value)
    case .array(let elements) where depth < 4 && elements.count <= 32: .array(elements.compactMap { clean($0, hidden, depth + 1) })
    case .object(let members) where depth < 4 && members.count <= 32:
      .object(
        distinct(members.compactMap { member in clean(member.value, hidden, depth + 1).map { .init(hidden.clean(member.name), $0) } }))
    default: nil
    }
  }

  /// Names that were different may be the same once they are clean, and no object that we write has a member twice.
  private static func distinct(_ members: [JSON.Member]) -> [JSON.Member] {
    var distinct: [JSON.Member] = []
    for member in members where !distinct.contains(where: { $0.name == member.name }) { distinct.append(member) }
    return distinct
  }
}

extension ExpiredSign {
  /// Whether an answer with this status and this code of the service's own says that the access token has died.
  func says(_ status: Int, _ code: String?) -> Bool {
    statuses.contains(status) || code.map(codes.contains) == true
  }
}

extension RateLimitHeaders {
  /// Whether an answer was refused because no call is left, which GitHub says with 403.
  func isReached(_ response: HTTPResponse) -> Bool {
    response.status == 403 && remaining.flatMap(response.header) == "0"
  }

  /// Unix seconds.
  func reset(_ response: HTTPResponse) -> Int? {
    reset.flatMap(response.header).flatMap { Int($0) }.flatMap { UnixSeconds.instants.contains($0) ? $0 : nil }
  }
}
