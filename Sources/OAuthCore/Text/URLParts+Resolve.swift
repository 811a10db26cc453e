/// Resolves references (RFC 3986 §5.2), for redirects and for URLs relative to an API's base.
extension URLParts {
  /// Resolves a reference against this URL, strictly by §5.2.2: `http:g` is absolute and does not mean `g`.
  ///
  /// The result has the reference's fragment, never this URL's. It keeps this URL's user information if the reference has no authority.
  package func resolve(_ text: String) throws(URLFailure) -> URLParts {
    let reference = try URLReference(text)
    if reference.scheme != nil || reference.authority != nil {
      return try URLParts(scheme: reference.scheme ?? scheme, reference: reference, path: Self.withoutDotSegments(reference.path))
    }
    var url = self
    url.fragment = reference.fragment
    if reference.path.isEmpty {
      if let query = reference.query { url.query = query }
      return url
    }
    url.query = reference.query
    let isRooted = reference.path.utf8.first == UInt8(ascii: "/")
    url.path = Self.withoutDotSegments(isRooted ? reference.path : merged(with: reference.path))
    if !hasAuthority, url.path.utf8.starts(with: "//".utf8) { throw .ambiguousPath }
    return url
  }

  /// RFC 3986 §5.2.3.
  private func merged(with relative: String) -> String {
    if hasAuthority, path.isEmpty { return "/" + relative }
    guard let slash = path.lastIndex(of: "/") else { return relative }
    return path[...slash] + relative
  }

  /// Removes `.` and `..` segments in linear time. The letters are the steps of RFC 3986 §5.2.4.
  private static func withoutDotSegments(_ path: String) -> String {
    let input = Array(path.utf8)
    let slash = UInt8(ascii: "/")
    var output: [UInt8] = []
    var index = 0

    func isNext(_ prefix: String) -> Bool { input[index...].starts(with: prefix.utf8) }
    func isRest(_ text: String) -> Bool { input.count - index == text.utf8.count && isNext(text) }
    func dropLastSegment() { while let byte = output.popLast(), byte != slash {} }

    while index < input.count {
      if isNext("../") {  // A
        index += 3
      } else if isNext("./") {
        index += 2
      } else if isNext("/./") {  // B
        index += 2
      } else if isRest("/.") {
        output.append(slash)
        break
      } else if isNext("/../") {  // C
        index += 3
        dropLastSegment()
      } else if isRest("/..") {
        dropLastSegment()
        output.append(slash)
        break
      } else if isRest(".") || isRest("..") {  // D
        break
      } else {  // E
        output.append(input[index])
        index += 1
        while index < input.count, input[index] != slash {
          output.append(input[index])
          index += 1
        }
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}
