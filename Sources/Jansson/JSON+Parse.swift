import CJansson

extension JSON {
  /// The maximum depth of nesting. jansson allows 2048, but our own recursion over its tree must stay shallow.
  package static let depthLimit = 128

  /// Parses a whole text of UTF-8 JSON with any value at the top.
  package static func parse(_ bytes: [UInt8]) throws(JSONFault) -> JSON {
    do throws(JSONFault) {
      return try parse(bytes, strict)
    } catch {
      // The text after the number is unchecked, so it may still be invalid JSON.
      if error == .numberOutOfRange { _ = try parse(bytes, rounding) }
      throw error
    }
  }

  /// Parses a text in which a number beyond 64 bits becomes a double. In a member that nothing reads, it must not cost the others.
  package static func parseRounding(_ bytes: [UInt8]) throws(JSONFault) -> JSON {
    do throws(JSONFault) {
      return try parse(bytes, strict)
    } catch .numberOutOfRange {
      return try parse(bytes, rounding)
    }
  }

  private static func parse(_ bytes: [UInt8], _ flags: Int32) throws(JSONFault) -> JSON {
    // jansson silently accepts a raw NUL after a scalar, so this check comes first.
    if let nul = bytes.firstIndex(of: 0) { throw .syntax(position: nul) }
    var error = json_error_t()
    guard let tree = load(bytes, flags, &error) else { throw fault(&error) }
    defer { json_decref(tree) }
    return try value(of: tree, depth: 0)
  }

  /// Returns the byte position of the number for which `parse` has thrown `numberOutOfRange`.
  package static func positionOfLargeNumber(_ bytes: [UInt8]) -> Int {
    var error = json_error_t()
    if let tree = load(bytes, strict, &error) { json_decref(tree) }
    // jansson's position is the number's end.
    let before = bytes.prefix(max(0, Int(error.position)))
    let start = before.lastIndex { !"+-.0123456789Ee".utf8.contains($0) }.map { $0 + 1 } ?? 0
    // The `e` at the end of a word such as `false` looks like an exponent, but belongs to the word.
    return before[start...].firstIndex { $0 == UInt8(ascii: "-") || isASCIIDigit($0) } ?? start
  }

  private static func fault(_ error: inout json_error_t) -> JSONFault {
    let position = max(0, Int(error.position) - 1)
    return switch UInt32(cjansson_error_code(&error)) {
    case json_error_duplicate_key.rawValue: .duplicateMember(position: position)
    case json_error_null_byte_in_key.rawValue: .nulInName(position: position)
    case json_error_stack_overflow.rawValue: .tooDeep(limit: depthLimit)
    case json_error_numeric_overflow.rawValue: .numberOutOfRange
    // Here, jansson's position excludes the byte that it stopped at.
    case json_error_invalid_utf8.rawValue: .syntax(position: position + 1, .notUTF8)
    case json_error_premature_end_of_input.rawValue: .syntax(position: max(0, Int(error.position)), .endsEarly)
    case json_error_end_of_input_expected.rawValue: .syntax(position: position, .goesOn)
    default: .syntax(position: position)
    }
  }

  private static let strict = JSON_DECODE_ANY | JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL
  private static let rounding = strict | JSON_DECODE_INT_AS_REAL

  private static func load(_ bytes: [UInt8], _ flags: Int32, _ error: inout json_error_t) -> UnsafeMutablePointer<json_t>? {
    bytes.withUnsafeBytes { json_loadb($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, Int(flags), &error) }
  }

  private static func value(of json: UnsafeMutablePointer<json_t>, depth: Int) throws(JSONFault) -> JSON {
    let type = cjansson_typeof(json)
    guard depth < depthLimit || type != JSON_OBJECT && type != JSON_ARRAY else { throw .tooDeep(limit: depthLimit) }
    switch type {
    case JSON_OBJECT:
      var members: [Member] = []
      members.reserveCapacity(json_object_size(json))
      var entry = json_object_iter(json)
      while let current = entry {
        if let name = json_object_iter_key(current), let member = json_object_iter_value(current) {
          members.append(Member(text(name, json_object_iter_key_len(current)), try value(of: member, depth: depth + 1)))
        }
        entry = json_object_iter_next(json, current)
      }
      return .object(members)
    case JSON_ARRAY:
      let elements = (0..<json_array_size(json)).compactMap { json_array_get(json, $0) }
      return .array(try elements.map { element throws(JSONFault) in try value(of: element, depth: depth + 1) })
    case JSON_STRING: return .string(text(json_string_value(json), json_string_length(json)))
    case JSON_INTEGER: return .integer(Int(json_integer_value(json)))
    case JSON_REAL: return .real(json_real_value(json))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  private static func text(_ characters: UnsafePointer<CChar>, _ length: Int) -> String {
    characters.withMemoryRebound(to: UInt8.self, capacity: length) {
      String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
    }
  }

  /// Seeds jansson's hash function before threads start, so that no caller can construct colliding names. With 0, jansson would read `/dev/urandom`.
  package static func seedHashes(with seed: UInt32) { json_object_seed(Int(seed)) }

  /// Decides in one pass whether an HTTP body can be part of a JSON-RPC message unchanged.
  ///
  /// Decoding and printing the body would rewrite 19.99 and lose integers beyond 64 bits. It is validated against RFC 8259 and spliced instead.
  /// White space outside strings is removed, so the body contains no line end.
  package struct Scan {
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

    /// The deepest nesting of arrays and objects that is accepted. Several parsers stop at 100, and the message adds its own levels.
    package static let deepestNesting = 90

    /// 2^53 - 1: the largest integer that a client keeps exactly if it reads all numbers as Double (RFC 8259 §6).
    package static let largestInteger: UInt64 = 9_007_199_254_740_991

    /// Returns the compacted body, or the reason why it can't be spliced. Numbers, escapes and the order of members are byte for byte the service's.
    ///
    /// Reasons that end parsing (not JSON, not UTF-8, a raw NUL, too deep) take precedence over JSON that is dangerous to some parser.
    /// Of the latter, the first one found is returned. The time is linear in the body's length, whatever its member names.
    package static func splice(_ bytes: [UInt8]) -> Result<[UInt8], Reason> {
      var wasCompact = Result<Bool, Reason>.failure(.empty)
      let compacted = bytes.withUnsafeBufferPointer { input in
        [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
          guard let source = input.baseAddress, let target = output.baseAddress else { return }
          var text = JSONText(source, count: input.count, compactedInto: target)
          do throws(Reason) {
            try text.read()
            wasCompact = .success(text.isCompact)
            count = text.written
          } catch {
            wasCompact = .failure(error)
          }
        }
      }
      return wasCompact.map { $0 ? bytes : compacted }
    }
  }
}
