import Platform

/// A process that holds locks in the database: its machine, its identifier, a random part, and the number of the lock.
struct PostgresHolder {
  let machine: String
  let process: pid_t
  /// The process and its random part. It does not change during the process.
  let owner: String

  /// Reads `MACHINE/PID/RANDOM/NUMBER`; nil for another text.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, let process = pid_t(parts[1]) else { return nil }
    (machine, self.process) = (String(parts[0]), process)
    owner = parts.dropLast().joined(separator: "/")
  }

  /// Whether the process runs, or ran, on this machine.
  var isHere: Bool { machine == MachineIdentity.current }

  /// Whether the process is known to have ended. It then stores nothing any more.
  var isDead: Bool { isHere && MachineIdentity.isDead(process) }
}
