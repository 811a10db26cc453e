import OAuthCore

/// The parameters that a signature covers, encoded and put in order (RFC 5849 §3.4.1.3.2).
struct EncodedParameters {
  /// Names and values, encoded once (§3.6).
  private(set) var pairs: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String) { pairs.append((PercentEncoding.encode(name), PercentEncoding.encode(value))) }

  /// Adds the parameters of a query or a form (§3.4.1.3.1). Each part is decoded, `+` as a space, and encoded again: `%7e` becomes `~`.
  /// The values between are bytes, since escapes in a query need not be valid UTF-8 and must stay.
  ///
  /// A part without `=` has an empty value. An empty part is ignored. A percent sign without an escape stays as it is.
  mutating func add(form: some Sequence<UInt8>) {
    func encoded(_ part: ArraySlice<UInt8>) -> String { PercentEncoding.encode(PercentEncoding.decodeLeniently(part, plusIsBlank: true)) }
    pairs += FormEncoding.parts(form).map { (encoded($0.name), encoded($0.value)) }
  }

  /// Sorts the parameters by their encoded bytes, name before value: `%` sorts before every letter and digit.
  mutating func sort() { pairs.sort { ($0.name, $0.value) < ($1.name, $1.value) } }

  /// The name of a forbidden parameter: a repeated one beginning with `oauth_`, or the signature, which is added last (§3.1). Call `sort` first.
  var excessProtocolName: String? {
    pairs.indices.first { index in
      let name = pairs[index].name
      return name.hasPrefix("oauth_") && (name == "oauth_signature" || (index > 0 && pairs[index - 1].name == name))
    }.map { pairs[$0].name }
  }

  /// `name=value&…`, encoded a second time for the base string (§3.4.1.1).
  var encodedAgain: String { pairs.map { PercentEncoding.encode($0.name + "=" + $0.value) }.joined(separator: PercentEncoding.encode("&")) }
}
