/// Writes compact JSON text: no white space, members in the order of the calls, no NUL and no lone surrogate (a Swift string has none).
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  package init(reserving capacity: Int = 1024) { if capacity > 0 { bytes.reserveCapacity(capacity) } }

  /// Starts with text that ends where a value is expected, such as `{"id":`.
  package init(beginning text: StaticString, reserving capacity: Int = 1024) {
    self.init(reserving: capacity)
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }
  package mutating func endObject() { close(UInt8(ascii: "}")) }
  package mutating func beginArray() { open(UInt8(ascii: "[")) }
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  package mutating func name(_ name: String) {
    string(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func string(_ value: String) {
    separate()
    appendJSONString(value, to: &bytes)
  }

  package mutating func integer(_ value: Int) { scalar(String(value)) }
  package mutating func bool(_ value: Bool) { scalar(value ? "true" : "false") }
  package mutating func null() { scalar("null") }

  package mutating func verbatim(_ value: [UInt8]) {
    separate()
    if bytes.capacity < bytes.count + value.count + 2 { bytes.reserveCapacity(max(bytes.count + value.count + 512, bytes.capacity * 2)) }
    bytes.append(contentsOf: value)
  }

  package mutating func value(_ json: JSON) {
    switch json {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    // Swift prints the shortest digits that parse to the same number, so 19.99 stays 19.99.
    case .real(let value): scalar(value.description)
    case .string(let value): string(value)
    case .verbatim(let value): verbatim(value)
    case .array(let values):
      beginArray()
      for element in values { value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        name(member.name)
        value(member.value)
      }
      endObject()
    }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func scalar(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }
}

extension JSON {
  /// The value as compact JSON text.
  package var text: [UInt8] {
    var writer = JSONWriter()
    writer.value(self)
    return writer.bytes
  }

  /// The same as a string.
  package var line: String { String(decoding: text, as: UTF8.self) }
}
