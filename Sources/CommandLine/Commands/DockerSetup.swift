import Jansson
import Methods
import Platform

/// Makes docker, podman and skopeo ask this program for the credentials of registries. What others have set stays as it is.
struct DockerSetup {
  private let log: Log
  private let file: UserFile
  private let shim: Shim

  init(_ log: Log) throws(Options.Fault) {
    self.log = log
    let home = try Shim.home
    file = UserFile((ProcessEnvironment.variable("DOCKER_CONFIG") ?? home + "/.docker") + "/config.json")
    shim = try Shim(HelperName.docker, isInPath: true, log)
  }

  func add(_ hosts: [String]) throws(Options.Fault) {
    let lines = hosts.map { "\(JSON.string($0).line): \(JSON.string(SetupCommand.helper).line)" }.joined(separator: ", ")
    try change(advice: "Add this to it: \"credHelpers\": {\(lines)}", makesLink: true) { helpers throws(UserFile.Fault) in
      for host in hosts {
        if let other = helpers.first(where: { $0.name == host })?.value, other.string != SetupCommand.helper {
          throw UserFile.Fault(
            message:
              "docker asks \(other.string?.plain ?? "another helper") for \(host): to replace it, first remove it from \(file.path.plain)")
        }
        UserFile.set(.init(host, .string(SetupCommand.helper)), in: &helpers)
      }
    }
    for host in hosts { log.line("docker, podman and skopeo now ask oauth-stdio for \(host).") }
    try shim.make()
  }

  /// Without `hosts`, removes all.
  func remove(_ hosts: [String]?) throws(Options.Fault) {
    var left: [JSON.Member] = []
    var removed: [String] = []
    if access(file.path, F_OK) == 0 {
      try change(advice: "Remove \(SetupCommand.helper) from credHelpers there", makesLink: false) { helpers throws(UserFile.Fault) in
        removed = helpers.filter { $0.value.string == SetupCommand.helper && hosts?.contains($0.name) != false }.map(\.name)
        helpers.removeAll { removed.contains($0.name) }
        left = helpers
      }
    }
    for host in hosts ?? removed {
      log.line("docker, podman and skopeo \(removed.contains(host) ? "no longer" : "do not") ask oauth-stdio for \(host).")
    }
    if !left.contains(where: { $0.value.string == SetupCommand.helper }) { shim.remove() }
  }

  /// `advice` is what the user does if this program would lose some of the file's content.
  private func change(advice: String, makesLink: Bool, _ work: (inout [JSON.Member]) throws(UserFile.Fault) -> Void) throws(Options.Fault) {
    do throws(UserFile.Fault) {
      try file.change { root throws(UserFile.Fault) in
        let existing = root.first { $0.name == "credHelpers" }?.value
        guard var helpers = existing == nil ? [] : existing?.members else {
          throw UserFile.Fault(message: "credHelpers in \(file.path.plain) is not an object", isForUser: true)
        }
        try work(&helpers)
        root.removeAll { $0.name == "credHelpers" && helpers.isEmpty }
        if !helpers.isEmpty { UserFile.set(.init("credHelpers", .object(helpers)), in: &root) }
      }
    } catch {
      guard error.isForUser else { throw Options.Fault(error.message) }
      if makesLink { try shim.make() }
      throw Options.Fault("\(error.message). \(advice)")
    }
  }
}
