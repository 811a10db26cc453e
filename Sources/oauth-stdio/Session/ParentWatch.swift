import Platform

/// Ends this process when the process that the client named in `initialize` has ended, as language servers do. A killed editor sends no `exit`.
enum ParentWatch {
  static func start(_ process: Int32, _ ending: ShutdownSequence) {
    Thread.start {
      ProcessEnd.wait(for: process)
      ending.now(status: 1)
    }
  }
}
