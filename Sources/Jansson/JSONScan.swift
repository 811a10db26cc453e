/// Decides in one pass whether an HTTP body can be part of a JSON-RPC message unchanged.
///
/// Decoding and printing the body would rewrite 19.99 and lose integers beyond 64 bits. It is validated against RFC 8259 and spliced instead.
/// White space outside strings is removed, so the body contains no line end.
package struct JSONScan {
  /// Why a body isn't spliced. The raw value is `jsonOmitted` on the wire.
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
    /// The compacted text. Numbers, escapes and the order of members are byte for byte the service's.
    case spliced([UInt8])
    case omitted(Reason)
  }

  /// The deepest nesting of arrays and objects that is accepted. Several parsers stop at 100, and the message adds its own levels.
  package static let deepestNesting = 90

  /// 2^53 - 1: the largest integer that a client keeps exactly if it reads all numbers as Double (RFC 8259 §6).
  package static let largestInteger: UInt64 = 9_007_199_254_740_991

  /// Returns the compacted body, or the reason why it can't be spliced.
  ///
  /// Reasons that end parsing (not JSON, not UTF-8, a raw NUL, too deep) take precedence over JSON that is dangerous to some parser.
  /// Of the latter, the first one found is returned. The time is linear in the body's length, whatever its member names.
  package static func splice(_ bytes: [UInt8]) -> Result {
    var outcome = Result.omitted(.empty)
    var wasCompact = false
    let compacted = bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
        guard let source = input.baseAddress, let target = output.baseAddress else { return }
        var text = JSONText(source, count: input.count, compactedInto: target)
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
