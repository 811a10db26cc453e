/// Identifies the machine on which a process runs, so that another process can tell whether a process identifier is one of its own machine.
package enum MachineIdentity {
  /// The boot and the process namespace on Linux: containers number their processes apart. The host's name elsewhere.
  package static let current = name(with: "pid")
  /// The same for ports, with the network namespace.
  package static let network = name(with: "net")

  private static func name(with namespace: String) -> String {
    #if os(Linux)
      let boot = (try? PosixFile.read("/proc/sys/kernel/random/boot_id", limit: 64)) ?? nil
      var target = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/self/ns/\(namespace)", &target, target.count)
      // Such as `pid:[4026531836]`.
      let space = String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)).filter { 0x30...0x39 ~= $0 }, as: UTF8.self)
      let name = boot.map { String(decoding: $0.filter { $0 > 0x20 }, as: UTF8.self) } ?? ""
      if !name.isEmpty, !space.isEmpty { return "\(name).\(space)" }
    #endif
    var host = [CChar](repeating: 0, count: 256)
    gethostname(&host, 255)
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether no process with this identifier is running here.
  package static func isDead(_ process: pid_t) -> Bool { process > 0 && kill(process, 0) != 0 && errno == ESRCH }
}
