import Methods
import Platform

/// The names by which other programs start this one.
package enum HelperName {
  static let docker = "docker-credential-oauth-stdio"
  /// An account's name follows.
  static let pnpm = "pnpm-token-oauth-stdio-"

  /// Returns the words that the program's name stands for, which precede its arguments.
  package static func words(_ program: Substring) -> [String] {
    if program.hasPrefix(pnpm) { return [TokenCommand.name, "--format=bearer", "--", String(program.dropFirst(pnpm.count))] }
    let helpers: [any CredentialHelper.Type] = [
      DockerCredentialCommand.self, BazelCredentialCommand.self, TerraformCredentialsCommand.self, CargoCredentialCommand.self,
    ]
    let helper = helpers.first { program.hasPrefix($0.name + "-") } ?? (program == KeyringCommand.name ? KeyringCommand.self : nil)
    return helper.map { [$0.name] } ?? []
  }
}

/// Gives other programs the name by which they start this one, and tells what their files need. Those stay as they are.
struct HelperSetup {
  let target: SetupCommand.Target
  let log: Log

  /// The program's file, which the user changes.
  private var file: String {
    switch target {
    case .pip: "~/.config/pip/pip.conf"
    case .uv: "~/.config/uv/uv.toml"
    case .bazel: "~/.bazelrc"
    case .terraform: "~/.terraformrc"
    case .cargo: "~/.cargo/config.toml"
    default: "~/.npmrc"
    }
  }

  private func shim(_ account: String) throws(Options.Fault) -> Shim {
    switch target {
    case .pip, .uv: try Shim(KeyringCommand.name, isInPath: true, log)
    case .bazel: try Shim(BazelCredentialCommand.name + "-oauth-stdio", log)
    case .terraform: try Shim(TerraformCredentialsCommand.name + "-oauth-stdio", in: "/.terraform.d/plugins", log)
    case .cargo: try Shim(CargoCredentialCommand.name + "-oauth-stdio", log)
    default: try Shim(HelperName.pnpm + account, log)
    }
  }

  /// Returns the lines for the program's file. `hosts` are empty for all.
  func add(_ hosts: [(host: String, account: String?)]) throws(Options.Fault) -> String {
    if target == .pnpm { return try pnpm(hosts) }
    let path = try shim("").make()
    let hasPaths = [.pip, .uv].contains(target) && !hosts.isEmpty
    log.line("Add this to \(file)\(hasPaths ? ", with the path of each index" : ""):")
    let lines: [String] =
      switch target {
      // Without a user in the URL, older releases ask the user for a name first.
      case .pip:
        ["[global]", "keyring-provider = subprocess"]
          + hosts.enumerated().map { "\($0 == 0 ? "" : "extra-")index-url = https://oauth2@\($1.host)/simple/" }
      case .uv: ["keyring-provider = \"subprocess\""] + hosts.flatMap { ["[[index]]", "url = \"https://oauth2@\($0.host)/simple/\""] }
      case .bazel: (hosts.isEmpty ? [""] : hosts.map { $0.host + "=" }).map { "common --credential_helper=\($0)\(path)" }
      case .terraform: ["credentials_helper \"oauth-stdio\" {}"]
      // Cargo asks the last one first.
      default: ["[registry]", "global-credential-providers = [\"cargo:token\", \"\(path)\"]"]
      }
    return lines.map { $0 + "\n" }.joined()
  }

  /// pnpm gives its helper no argument, so each account has a name of its own.
  private func pnpm(_ hosts: [(host: String, account: String?)]) throws(Options.Fault) -> String {
    var lines = ""
    for (host, account) in hosts {
      guard let account else { continue }
      guard !account.contains("/") else {
        throw Options.Fault("the account \(account.plain) has a slash in its name, which no file can have: sign in with --account NAME")
      }
      lines += "//\(host)/:tokenHelper=\(try shim(account).make())\n"
    }
    if !lines.isEmpty { log.line("Add this to \(file), with the path of each registry:") }
    return lines
  }

  func remove() throws(Options.Fault) {
    let folder = try Shim.home + "/.local/bin"
    let shims = target == .pnpm ? try? PosixFile.names(in: folder).filter { $0.hasPrefix(HelperName.pnpm) } : [""]
    for name in shims ?? [] { try shim(String(name.dropFirst(HelperName.pnpm.count))).remove() }
    let names = [.pip, .uv].contains(target) ? "pip and uv no longer start" : "\(target.rawValue) no longer starts"
    log.line("\(names) oauth-stdio. Take its lines out of \(file), too.")
  }
}
