/// The names and values of an answer or a kept grant, as GTMOAuth reads and writes them.
package enum OAuth1Form {
  /// Split at `&` and the first `=`; a part without a name is none, a name without `=` has an empty value.
  ///
  /// A `+` stays one: tokens hold base 64 that many a server forgets to escape, and never a blank. A broken escape stands for itself.
  package static func decode(_ form: some BidirectionalCollection<UInt8>) -> [OAuth1Parameter] {
    var bytes = Array(form)
    // The line end that some servers put after the form.
    while let last = bytes.last, last == 0x0A || last == 0x0D || last == 0x20 { bytes.removeLast() }
    return bytes.split(separator: UInt8(ascii: "&")).compactMap { part in
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let name = text(part[..<(equals ?? part.endIndex)])
      return name.isEmpty ? nil : OAuth1Parameter(name, equals.map { text(part[($0 + 1)...]) } ?? "")
    }
  }

  /// Only what has a value is written.
  package static func encode(_ parameters: [OAuth1Parameter]) -> String {
    parameters.filter { !$0.value.isEmpty }
      .map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
      .joined(separator: "&")
  }

  private static func text(_ part: ArraySlice<UInt8>) -> String {
    String(decoding: PercentEncoding.decodeLeniently(part, plusIsBlank: false), as: UTF8.self)
  }
}
