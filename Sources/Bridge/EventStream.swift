/// Decodes a stream of server-sent events (WHATWG HTML, 9.2.6) from pieces of any size.
struct EventStream {
  struct Event: Equatable {
    /// Empty for the usual kind.
    var name = ""
    var data: [UInt8] = []
  }

  /// The id of the last whole event that had one. A client continues a broken stream after it.
  private(set) var lastID: String?
  /// Milliseconds that the server asks for before the client connects again.
  private(set) var retry: Int?
  /// Whether an event was longer than the limit. It was dropped.
  private(set) var hasDropped = false

  private let limit: Int
  private var line: [UInt8] = []
  private var event = Event()
  private var hasData = false
  private var id: String?
  private var isDropping = false
  private var isAfterReturn = false
  private var isFirstLine = true

  /// `limit` is that of one event, in bytes. A stream that is continued begins with what the one before it told.
  init(limit: Int, after former: (lastID: String?, retry: Int?) = (nil, nil)) {
    self.limit = limit
    (lastID, retry) = former
    id = lastID
  }

  /// Returns the events that the piece ends.
  mutating func feed(_ piece: [UInt8]) -> [Event] {
    var events: [Event] = []
    var start = 0
    for index in piece.indices where piece[index] == 0x0A || piece[index] == 0x0D {
      let isSecondHalf = piece[index] == 0x0A && isAfterReturn && index == start
      if !isSecondHalf {
        append(piece[start..<index])
        if let event = endLine() { events.append(event) }
      }
      isAfterReturn = piece[index] == 0x0D
      start = index + 1
    }
    if start < piece.count {
      append(piece[start...])
      isAfterReturn = false
    }
    return events
  }

  private mutating func append(_ bytes: ArraySlice<UInt8>) {
    if line.count + event.data.count + bytes.count > limit {
      (isDropping, hasDropped) = (true, true)
      (line, event.data) = ([], [])
    }
    if !isDropping { line += bytes }
  }

  /// Reads a whole line. A blank one ends an event.
  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: line.capacity <= 1 << 16) }
    if isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirstLine = false
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "data":
      if hasData { event.data.append(0x0A) }
      event.data += value
      hasData = true
    case "event": event.name = String(decoding: value, as: UTF8.self)
    // An id becomes a header's value.
    case "id": if !value.contains(where: { $0 < 0x20 || $0 == 0x7F }) { id = String(decoding: value, as: UTF8.self) }
    case "retry": if value.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(String(decoding: value, as: UTF8.self)) { retry = number }
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> Event? {
    defer { (event, hasData, isDropping) = (Event(), false, false) }
    lastID = id == "" ? nil : id
    return event.data.isEmpty || isDropping ? nil : event
  }
}
