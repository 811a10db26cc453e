import Calls
import HTTP
import JSONRPC
import Jansson
import OAuthCore
import Platform

/// Looks for the reason why a sign-in fails. The answer contains no secret.
struct Diagnose: Method {
  static let name = "diagnose"
  static let errors = Errors.names(.notAllowed)

  /// In seconds. A user waits for the command, and a server that needs longer is what the user looks for.
  private static let defaultTimeoutSeconds = 20

  private let account: String?
  private let timeout: Int

  init(_ fields: inout ObjectReader) throws(FieldError) {
    let name: AccountName? = try fields.optional(
      "account",
      "The account's name, or the URL of an API. The process then runs its sign-in up to the authorization page, and tests its client with a made-up code."
    )
    account = name?.value
    timeout = try fields.optional(
      "timeout", in: 1...86_400, default: Self.defaultTimeoutSeconds,
      "The time limit for all checks, in seconds. A check without a response is a finding.")
  }

  func run(_ call: Call, _ service: Service) async throws -> Result {
    var findings = configuration(service)
    let needsBrowser = account.flatMap { try? service.configuration.account($0)?.needsBrowser } ?? true
    findings += await service.accounts.diagnoseMachine(needsBrowser: needsBrowser)
    findings += proxy + certificates
    if let account {
      let configured = (try? service.configuration.names().map(\.name)) ?? []
      // Both checks report a configuration that cannot be read.
      let more = try await service.accounts.diagnose(account, in: timeout, configured: configured)
      findings += more.filter { found in !findings.contains { $0.state == .failed && $0.message == found.message } }
    }
    return Result(program: "oauth-stdio \(Version.current), \(CurlClient.libraryVersion)", findings: findings)
  }

  private func configuration(_ service: Service) -> [Finding] {
    let file = service.configuration.file.path.plain
    if !service.configuration.isRequired, !ProcessEnvironment.hasFolder("XDG_CONFIG_HOME") {
      let advice = "set HOME or XDG_CONFIG_HOME, or name the file with --config"
      return [Finding("configuration", .warning, "HOME is not set, so there is no place for the configuration", advice: advice)]
    }
    do throws(OAuthFailure) {
      let names = try service.configuration.names()
      let faults = names.filter { service.limits.allows(account: $0.name) }.compactMap { name -> Finding? in
        if case .failure(let failure) = name.entry { Finding("configuration", .failed, failure.message) } else { nil }
      }
      guard let content = try service.configuration.read() else {
        return [Finding("configuration", .ok, "there is none yet at \(file); login offers to create it")]
      }
      let plain = content.httpHosts.map { host in
        Finding(
          "httpHosts", .warning, "requests to \(host) are not encrypted: everyone in its network can read the tokens",
          advice: "use https if the server has it, and remove \(host) from httpHosts in the configuration")
      }
      return (faults.isEmpty ? [Finding("configuration", .ok, file)] : faults) + plain
    } catch {
      return [Finding("configuration", .failed, error.message, advice: "correct the file, or name another one with --config")]
    }
  }

  /// The proxies that libcurl uses. Their URLs may contain a password.
  private var proxy: [Finding] {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let set = names.filter { ProcessEnvironment.variable($0)?.isEmpty == false }
    guard !set.isEmpty else { return [] }
    let shown = set.map { name in
      let value = ProcessEnvironment.variable(name) ?? ""
      let host = value.firstRange(of: "://").map { String(value[$0.upperBound...]) } ?? value
      return "\(name) is \((host.lastIndex(of: "@").map { String(host[host.index(after: $0)...]) } ?? host).plain)"
    }
    return [Finding("proxy", .ok, shown.joined(separator: ", "))]
  }

  /// The user's own file of certificates. Of several, one is in force.
  private var certificates: [Finding] {
    let set = CurlClient.certificateVariables.filter { ProcessEnvironment.variable($0)?.isEmpty == false }
    guard let name = set.first, let path = ProcessEnvironment.variable(name) else { return [] }
    let others = set.dropFirst().map { "; \($0) is ignored beside it" }.joined()
    let isReadable = access(path, R_OK) == 0
    return [
      Finding(
        "certificates", isReadable ? .ok : .failed,
        "\(name) is in force: \(path.plain)\(isReadable ? "" : ", which cannot be read")\(others)",
        advice: isReadable ? nil : "correct \(name), or unset it to use the system's certificates")
    ]
  }

  struct Result: JSONObjectConvertible {
    static var sample: Result { Result(program: "", findings: []) }

    var program: String
    var findings: [Finding]

    func list(_ members: inout ObjectWriter) {
      members.add("program", program, "The versions of the program and its libraries.")
      members.add("findings", findings, "What was found, in the order of a sign-in.")
    }
  }
}

extension Finding: NestedObject {
  package static var sample: Finding { Finding("clock", .ok, "", advice: "") }

  package func list(_ members: inout ObjectWriter) {
    members.add("check", check, "What was looked at, such as `clock`.")
    members.add("state", state, "The result.")
    members.add("message", message, "What was found.")
    members.add(optional: "advice", advice, "What the user can do.")
  }
}
