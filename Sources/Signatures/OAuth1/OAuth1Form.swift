import OAuthCore

/// The names and values of a response or a stored grant, as GTMOAuth reads them.
package enum OAuth1Form {
  /// Splits at `&` and the first `=`. A part without a name is ignored; a name without `=` has an empty value.
  ///
  /// `+` stays `+`: tokens contain base64 that many servers forget to escape, and never a space. A broken escape stays as it is.
  package static func decode(_ form: some BidirectionalCollection<UInt8>) -> [OAuth1Parameter] {
    form.split(separator: UInt8(ascii: "&")).compactMap { part in
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      let name = text(part[..<(equals ?? part.endIndex)])
      return name.isEmpty ? nil : OAuth1Parameter(name, equals.map { text(part[($0 + 1)...]) } ?? "")
    }
  }

  private static func text(_ part: ArraySlice<UInt8>) -> String { PercentEncoding.lenientText(part, plusIsBlank: false) }
}
