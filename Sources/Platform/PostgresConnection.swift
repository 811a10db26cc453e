import CPostgres

/// One connection to a PostgreSQL server, through libpq. Its functions block, and only one thread at a time may call `query` or `wait`.
package final class PostgresConnection: Sendable {
  package enum Fault: Error, Equatable {
    /// libpq is not installed.
    case unavailable(String)
    /// No server could be reached, or the connection broke. A statement may have taken effect.
    case disconnected(String)
    /// The server did not answer in time. A statement may have taken effect.
    case timedOut(String)
    /// The server rejected the statement. The state is its SQLSTATE.
    case rejected(state: String, String)

    /// Whether the connection can be used again.
    package var endsConnection: Bool {
      switch self {
      case .unavailable, .disconnected, .timedOut: true
      // The server is read-only or shutting down, and another one may not be.
      case .rejected(let state, _): state == "25006" || state.hasPrefix("57")
      }
    }
  }

  package enum Value: Sendable {
    case text(String)
    case bytes([UInt8])
  }

  /// The columns of one row as text; nil for a missing value.
  package typealias Row = [String?]

  /// The address of libpq's object.
  private let address: UInt

  private var handle: OpaquePointer? { OpaquePointer(bitPattern: address) }

  /// Connects. Each host of the URI gets `seconds` to answer, unless the user has set another limit. `certificates` is a file of CA certificates for
  /// another machine, unless the user has named one.
  package init(_ uri: String, seconds: Int, certificates: String? = nil) throws(Fault) {
    address = UInt(bitPattern: try Self.open(uri, seconds, certificates))
  }

  deinit { cpostgres_close(handle) }

  /// Runs one statement with at most 16 values, named `$1` and so on.
  @discardableResult
  package func query(_ statement: String, _ values: [Value], milliseconds: Int) throws(Fault) -> [Row] {
    var rows: OpaquePointer?
    // The bytes of each value, with a zero behind a text.
    let sent: [(bytes: [UInt8], length: Int32)] = values.map { value in
      switch value {
      case .text(let text): (Array(text.utf8) + [0], -2)
      case .bytes(let bytes): (bytes.isEmpty ? [0] : bytes, Int32(bytes.count))
      }
    }
    let all = sent.flatMap(\.bytes)
    try Self.check { reason, size, state in
      all.withUnsafeBytes { bytes in
        var pointers: [UnsafeRawPointer?] = []
        var start = 0
        for value in sent {
          pointers.append(bytes.baseAddress.map { $0 + start })
          start += value.bytes.count
        }
        let lengths = sent.map(\.length)
        return cpostgres_query(handle, statement, Int32(values.count), pointers, lengths, Int32(milliseconds), &rows, state, reason, size)
      }
    }
    guard let rows else { return [] }
    defer { cpostgres_release(rows) }
    return (0..<cpostgres_row_count(rows)).map { row in
      (0..<cpostgres_column_count(rows)).map { column in
        var length: Int32 = 0
        guard let bytes = cpostgres_value(rows, row, column, &length) else { return nil }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(length)), as: UTF8.self)
      }
    }
  }

  /// Waits for a notification of a channel that the connection listens to. Returns its text.
  package func wait() throws(Fault) -> String {
    // The server limits a notification's text to 8000 bytes.
    var payload = [CChar](repeating: 0, count: 8001)
    try payload.withUnsafeMutableBufferPointer { buffer throws(Fault) in
      try Self.check { _, _, _ in cpostgres_wait(handle, buffer.baseAddress, buffer.count) }
    }
    return String(terminated: payload)
  }

  static func check(
    _ work: (_ reason: UnsafeMutablePointer<CChar>?, _ size: Int, _ state: UnsafeMutablePointer<CChar>?) -> Int32
  ) throws(Fault) {
    var reason = [CChar](repeating: 0, count: 400)
    var state = [CChar](repeating: 0, count: 6)
    let code = reason.withUnsafeMutableBufferPointer { reason in
      state.withUnsafeMutableBufferPointer { work(reason.baseAddress, reason.count, $0.baseAddress) }
    }
    let text = String(terminated: reason)
    switch code {
    case Int32(CPOSTGRES_DONE): return
    case Int32(CPOSTGRES_UNAVAILABLE): throw .unavailable(text)
    case Int32(CPOSTGRES_TIMED_OUT): throw .timedOut(text)
    case Int32(CPOSTGRES_REJECTED): throw .rejected(state: String(terminated: state), text)
    default: throw .disconnected(text)
    }
  }
}
