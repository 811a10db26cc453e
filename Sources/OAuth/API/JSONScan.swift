/// The one look at an HTTP body that decides whether it may stand as it is inside a JSON-RPC message.
///
/// A body is never decoded and printed again: that would rewrite 19.99 and lose integers beyond 64 bits. It is validated
/// against RFC 8259 and spliced, without the white space outside its strings, so that it can't contain a line end.
package struct JSONScan {
  /// Why a body isn't spliced; the raw value is what `jsonOmitted` says on the wire.
  package enum Reason: String, Error, Sendable, CaseIterable {
    case empty
    case notJSON = "not-json"
    case notUTF8 = "not-utf8"
    case tooDeep = "too-deep"
    case nul
    case duplicateMembers = "duplicate-members"
    case integerOutOfRange = "integer-out-of-range"
    case numberOverflow = "number-overflow"
    case loneSurrogate = "lone-surrogate"
  }

  package enum Result: Equatable, Sendable {
    /// The compacted text: numbers, escapes and the order of members byte for byte as the service wrote them.
    case spliced([UInt8])
    case omitted(Reason)
  }

  /// The deepest nesting of arrays and objects let through: several parsers stop at 100, and the message adds its own levels.
  package static let deepestNesting = 90

  /// The largest integer that a client reading every number as a Double keeps exactly: 2^53 - 1 (RFC 8259 §6).
  package static let largestInteger: UInt64 = 9_007_199_254_740_991

  /// Gives the compacted body, or the reason why it can't be spliced.
  ///
  /// What ends the reading (not JSON, not UTF-8, a raw NUL, too deep) is told before what is JSON and yet dangerous to some parser;
  /// among the latter the first one met is told. Linear in the body's length, whatever its member names.
  package static func splice(_ bytes: [UInt8]) -> Result {
    var outcome = Result.omitted(.empty)
    var wasCompact = false
    let compacted = bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
        guard let source = input.baseAddress, let target = output.baseAddress else { return }
        var text = JSONText(source, count: input.count, compactedInto: target)
        defer { text.names.discard() }
        do throws(Reason) {
          try text.read()
          outcome = .spliced([])
          wasCompact = text.isCompact
          count = text.written
        } catch {
          outcome = .omitted(error)
        }
      }
    }
    if case .omitted = outcome { return outcome }
    return .spliced(wasCompact ? bytes : compacted)
  }
}
