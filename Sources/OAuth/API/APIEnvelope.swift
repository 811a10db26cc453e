import Jansson
import OAuthCore

/// What a service's JSON says beside the results: success or error. It is read from a copy; the body itself is passed on unchanged.
package struct APIEnvelope: Sendable {
  /// The service's own error, as it appears in an error's data.
  package struct ServiceError: Sendable, Equatable {
    package var members: [JSON.Member]
  }

  let json: JSON
  private let places: APIOptions.EnvelopePlaces

  /// Returns nil if the provider's description uses nothing in the body. A body that is no JSON gives an empty envelope.
  init?(_ body: [UInt8], _ options: APIOptions) {
    guard options.apiErrors != nil || options.pagination?.readsBody == true else { return nil }
    places = options.apiErrors ?? APIOptions.EnvelopePlaces()
    json = Self.read(body)
  }

  private static func read(_ body: [UInt8]) -> JSON {
    do throws(JSONFault) {
      return try JSON.parse(body)
    } catch {
      // A number beyond 64 bits must not hide an error.
      if case .numberOutOfRange(let rest?) = error { return rest }
      return .null
    }
  }

  /// The service's own error code as text, the form in which descriptions list codes.
  var codeText: String? { places.code?.value(in: json)?.scalarText }

  /// Returns the service's error in a response with this status; nil if there is none.
  /// If the place of the code is known and empty, `code` is -1, as in Spark's own library.
  /// The redaction is built only for an error, because that costs a tenth of a call.
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

  /// Returns a form that is safe in our data: few and short values, exact integers, no secret that was sent.
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

  /// Removes members whose names became equal by redaction. Objects that the process writes have no duplicate members.
  private static func distinct(_ members: [JSON.Member]) -> [JSON.Member] {
    var distinct: [JSON.Member] = []
    for member in members where !distinct.contains(where: { $0.name == member.name }) { distinct.append(member) }
    return distinct
  }
}

extension APIOptions.ExpiredSign {
  /// Whether a response with this status and service code says that the access token has expired.
  func matches(_ status: Int, _ code: String?) -> Bool {
    statuses.contains(status) || code.map(codes.contains) == true
  }
}

extension APIOptions.RateLimitHeaders {
  /// Whether the service rejected the call because the rate limit is used up. GitHub sends 403 for that.
  func isReached(_ response: HTTPResponse) -> Bool {
    response.status == 403 && remaining.flatMap(response.header) == "0"
  }

  /// Unix seconds.
  func reset(_ response: HTTPResponse) -> Int? {
    reset.flatMap(response.header).flatMap { Int($0) }.flatMap { UnixSeconds.instants.contains($0) ? $0 : nil }
  }
}
