extension JSON {
  /// Returns the text of a message or batch with `null` for every member but `jsonrpc`, `id` and `method`.
  ///
  /// If only the params are unreadable, the rest is enough for the answer. Returns nil if the params have no end.
  package static func withoutParams(_ bytes: [UInt8]) -> [UInt8]? {
    bytes.withUnsafeBufferPointer { text in
      var (outline, envelope) = (JSONOutline(text), JSONWriter())
      return copyMessage(&outline, &envelope) && outline.isAtEnd ? envelope.bytes : nil
    }
  }

  /// A request, or a batch of them.
  private static func copyMessage(_ outline: inout JSONOutline, _ envelope: inout JSONWriter) -> Bool {
    guard outline.take("[") else { return copyRequest(&outline, &envelope) }
    envelope.beginArray()
    repeat {
      guard copyRequest(&outline, &envelope) else { return false }
    } while outline.take(",")
    envelope.endArray()
    return outline.take("]")
  }

  private static func copyRequest(_ outline: inout JSONOutline, _ envelope: inout JSONWriter) -> Bool {
    guard outline.isAt("{") else {
      // A batch's element that is not a request is copied, and is rejected later.
      guard let value = outline.value() else { return false }
      envelope.verbatim(Array(value))
      return true
    }
    envelope.beginObject()
    defer { envelope.endObject() }
    return outline.object { outline, name in
      guard let value = outline.value() else { return false }
      envelope.name(name)
      if ["jsonrpc", "id", "method"].contains(name) { envelope.verbatim(Array(value)) } else { envelope.null() }
      return true
    }
  }
}
