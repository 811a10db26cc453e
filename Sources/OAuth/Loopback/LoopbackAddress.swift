/// Where the browser is to be sent back to on this machine: the loopback redirect of RFC 8252 section 7.3.
package struct LoopbackAddress: Sendable, Equatable {
  /// The host as it is written in the redirect URI; providers compare it as text, so `localhost` and 127.0.0.1 are different redirects.
  package enum Host: String, Sendable {
    case ipv4 = "127.0.0.1"
    case ipv6 = "[::1]"
    /// Listens on both families, because a browser may try ::1 first and somebody else listening there would be handed the code.
    case localhost = "localhost"
  }

  package var host: Host
  /// Candidates in order of preference; 0 is any free port.
  package var ports: [UInt16]
  /// As in the redirect URI, empty or with its leading slash, and without a query.
  package var path: String

  package init(host: Host = .ipv4, ports: [UInt16] = [0], path: String = "/") {
    self.host = host
    self.ports = ports
    self.path = path
  }

  /// Only the characters of an RFC 3986 path: anything else could never equal what a browser asks for.
  var isPathUsable: Bool {
    let punctuation = Set("-._~!$&'()*+,;=:@/%".utf8)
    let isPlain = path.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: punctuation.contains(byte)
      }
    }
    return isPlain && (path.isEmpty || path.utf8.first == UInt8(ascii: "/"))
  }
}

/// Why no listener could be opened.
package enum LoopbackFailure: Error, Equatable, CustomStringConvertible {
  /// Every candidate is taken by another program, or by another sign-in of this one.
  case portInUse([UInt16])
  case unavailable(reason: String)

  package var description: String {
    switch self {
    case .portInUse(let ports):
      "another program is listening on port \(ports.map { String($0) }.joined(separator: ", ")) of this machine"
    case .unavailable(let reason): reason
    }
  }
}

/// How much a visitor of the loopback address may take; tests pass smaller ones.
package struct LoopbackLimits: Sendable {
  /// Bytes of request line and fields: codes of 2 to 4 KiB are seen in the field, and 16 KiB is what most servers allow.
  package var headBytes = 16 * 1024
  /// Bytes of a `form_post` body, which may carry an ID token with many claims.
  package var bodyBytes = 64 * 1024
  /// Milliseconds from the accepted connection to the whole request.
  package var requestMilliseconds: UInt64 = 10_000
  /// Milliseconds that the handler has: a code exchange of 30 s, tried again, and room.
  package var handlerMilliseconds: UInt64 = 120_000
  /// Milliseconds that a browser has to take in the few kilobytes of an answer.
  package var writeMilliseconds: UInt64 = 5_000
  /// Milliseconds between our last byte and the browser's own close, so that unread input doesn't reset the answer away.
  package var lingerMilliseconds: UInt64 = 1_000
  /// Milliseconds that `LoopbackListener.finish` waits for answers under way.
  package var finishMilliseconds: UInt64 = 2_000
  /// Milliseconds that a listener goes on answering after its sign-in has ended: time to reload the page or to find a second tab.
  package var afterlifeMilliseconds: UInt64 = 60_000
  /// Connections at a time; browsers open two to six.
  package var connections = 32

  package init() {}
}
