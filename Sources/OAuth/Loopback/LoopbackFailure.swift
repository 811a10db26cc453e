/// Why no listener could be opened.
package enum LoopbackFailure: Error, Equatable, CustomStringConvertible {
  /// Another program or another sign-in of this process uses every candidate.
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
