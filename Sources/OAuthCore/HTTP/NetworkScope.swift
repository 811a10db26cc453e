import Jansson
import Platform

/// The network in which an address is reachable, from the widest to the narrowest. A server may name only addresses within its own scope.
/// Otherwise a public server could send this process to services that are closed to the public (RFC 9728, 7.7).
package enum NetworkScope: String, StringEnum, Comparable {
  case publicNetwork
  /// Private, shared and link-local addresses (RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291).
  case privateNetwork
  case thisMachine

  package static func < (left: NetworkScope, right: NetworkScope) -> Bool { left.depth < right.depth }

  private var depth: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The text for a message.
  package var place: String {
    switch self {
    case .publicNetwork: "in the public network"
    case .privateNetwork: "in a private network"
    case .thisMachine: "on this machine"
    }
  }

  /// The scope of a URL's host as it is written. A name other than `localhost` counts as public, because only its addresses show more.
  ///
  /// An address in an unusual form (`127.1`, `0x7f.1`) counts as this machine: resolvers disagree about its meaning (RFC 3986, 7.4).
  package init(_ url: URLParts) {
    let host = url.host.hasSuffix(".") ? url.host.dropLast() : url.host[...]
    if host.hasPrefix("[") {
      self = URLParts.ipv6Bytes(host.dropFirst().dropLast()).map(NetworkScope.init(ipv6:)) ?? .thisMachine
      return
    }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "localhost" {
      self = .thisMachine
    } else if let digit = labels.last?.utf8.first, isASCIIDigit(digit) {
      let bytes = labels.compactMap { label in UInt8(label).flatMap { String($0) == label ? $0 : nil } }
      self = labels.count == 4 && bytes.count == 4 ? Self(ipv4: bytes[...]) : .thisMachine
    } else {
      self = .publicNetwork
    }
  }

  /// The scope of a socket's address.
  package init(_ address: UnsafePointer<sockaddr>) {
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin_addr) { Self(ipv4: Array($0)[...]) }
      }
    case AF_INET6:
      self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
        withUnsafeBytes(of: address.pointee.sin6_addr) { Self(ipv6: Array($0)) }
      }
    default: self = .thisMachine
    }
  }

  /// The scope of an address as libcurl prints it; nil if the text is not an address.
  package init?(address: String) {
    guard let url = try? URLParts("http://" + (address.utf8.contains(UInt8(ascii: ":")) ? "[\(address)]" : address)), !address.isEmpty
    else { return nil }
    self.init(url)
  }

  private init(ipv4 bytes: ArraySlice<UInt8>) {
    let bytes = Array(bytes)
    switch (bytes[0], bytes[1]) {
    case (0, _), (127, _): self = .thisMachine
    case (10, _), (172, 16...31), (192, 168), (169, 254), (100, 64...127): self = .privateNetwork
    // Addresses for protocols, benchmarks, relays and multicast, and reserved ones (RFC 6890).
    case (192, 0) where bytes[2] == 0, (192, 88) where bytes[2] == 99, (198, 18...19), (224..., _): self = .privateNetwork
    default: self = .publicNetwork
    }
  }

  private init(ipv6 bytes: [UInt8]) {
    let zeros = bytes.prefix { $0 == 0 }.count
    switch (bytes[0], bytes[1]) {
    // Mapped (RFC 4291, 2.5.5.2), translated (RFC 6052) and tunnelled (RFC 3056) addresses contain an IPv4 address.
    case (0, 0) where zeros == 10 && bytes[10] == 0xFF && bytes[11] == 0xFF: self.init(ipv4: bytes[12...])
    case (0, 0x64) where bytes[2] == 0xFF && bytes[3] == 0x9B && bytes[4..<12].allSatisfy { $0 == 0 }: self.init(ipv4: bytes[12...])
    case (0x20, 0x02): self.init(ipv4: bytes[2..<6])
    // Teredo addresses contain the client's IPv4 address with all bits inverted (RFC 4380, 4).
    case (0x20, 0x01) where bytes[2] == 0 && bytes[3] == 0: self = max(Self(ipv4: bytes[12...].map { ~$0 }[...]), Self(ipv4: bytes[4..<8]))
    // `::`, `::1` and the reserved addresses around them.
    case (0, _): self = .thisMachine
    case (0xFE, 0x80...0xFF), (0xFC...0xFD, _), (0xFF, _): self = .privateNetwork
    default: self = .publicNetwork
    }
  }
}
