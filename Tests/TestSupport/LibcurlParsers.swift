import OAuthCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The parsers of URLs and dates in the system's libcurl, which is also what connects.
///
/// Found by name, as the program finds libcurl, because building needs no libcurl headers.
package struct LibcurlParsers: Sendable {
  /// What libcurl connects to.
  package struct Target: Equatable, CustomStringConvertible {
    package var scheme: String
    package var host: String
    package var port: String

    package var description: String { [scheme, host, port].filter { !$0.isEmpty }.joined(separator: " ") }

    /// Whether our parser reads the same. libcurl can write an IPv6 address in another way.
    package func isSame(as url: URLParts) -> Bool {
      let isSameAddress =
        url.host.hasPrefix("[") && host.hasPrefix("[")
        && URLParts.ipv6Bytes(url.host.dropFirst().dropLast()) == URLParts.ipv6Bytes(host.dropFirst().dropLast())
      return url.scheme == scheme && (url.host == host || isSameAddress) && (url.port.map(String.init) ?? "") == port
    }
  }

  /// The system has no libcurl, or one that lacks this function.
  package struct Missing: Error {
    package var name: String
  }

  private typealias New = @convention(c) () -> OpaquePointer?
  private typealias Free = @convention(c) (OpaquePointer) -> Void
  private typealias Set = @convention(c) (OpaquePointer, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt
  private typealias Get = @convention(c) (OpaquePointer, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, CUnsignedInt) -> CInt
  private typealias FreeText = @convention(c) (UnsafeMutablePointer<CChar>) -> Void
  private typealias Date = @convention(c) (UnsafePointer<CChar>, UnsafePointer<time_t>?) -> time_t

  private let new: New
  private let free: Free
  private let set: Set
  private let get: Get
  private let freeText: FreeText
  private let date: Date

  package init() throws {
    #if canImport(Glibc)
      let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    #else
      let names = ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"]
    #endif
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_LAZY | RTLD_LOCAL) }).first else { throw Missing(name: "libcurl") }
    func find<Function>(_ name: String, as type: Function.Type) throws -> Function {
      guard let function = dlsym(library, name) else { throw Missing(name: name) }
      return unsafeBitCast(function, to: type)
    }
    new = try find("curl_url", as: New.self)
    free = try find("curl_url_cleanup", as: Free.self)
    set = try find("curl_url_set", as: Set.self)
    get = try find("curl_url_get", as: Get.self)
    freeText = try find("curl_free", as: FreeText.self)
    date = try find("curl_getdate", as: Date.self)
  }

  /// Parses a URL as a transfer does; nil if libcurl rejects it.
  package func target(of url: String) throws -> Target? {
    guard let handle = new() else { throw Missing(name: "memory") }
    defer { free(handle) }
    // CURLU_NON_SUPPORT_SCHEME, CURLU_PATH_AS_IS and CURLU_GUESS_SCHEME, which a transfer sets too. CURLUPART_URL is 0.
    guard set(handle, 0, url, 1 << 3 | 1 << 4 | 1 << 9) == 0 else { return nil }
    // CURLUPART_SCHEME, HOST and PORT, with CURLU_DEFAULT_PORT.
    return Target(scheme: part(1, of: handle).lowercased(), host: part(5, of: handle).lowercased(), port: part(6, of: handle))
  }

  /// Returns the date as Unix seconds; nil if libcurl rejects it.
  package func seconds(of text: String) -> Int64? {
    let seconds = date(text, nil)
    return seconds == -1 ? nil : Int64(seconds)
  }

  private func part(_ name: CInt, of handle: OpaquePointer) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard get(handle, name, &text, 1) == 0, let text else { return "" }
    defer { freeText(text) }
    return String(cString: text)
  }
}
