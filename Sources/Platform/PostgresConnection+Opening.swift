import CPostgres

/// Opening a connection: its hosts one after another, and TLS to another machine.
extension PostgresConnection {
  /// Whether libpq can read the URI, and whether the URI itself has a password.
  package static func examine(_ uri: String) throws(Fault) -> (isReadable: Bool, hasPassword: Bool) {
    try check { reason, size, _ in cpostgres_load(reason, size) }
    guard let host = parameter("host", of: uri), let name = parameter("dbname", of: uri), let port = parameter("port", of: uri) else {
      return (false, false)
    }
    let hasPassword = ["password", "sslpassword"].contains { parameter($0, of: uri)?.isEmpty == false }
    // A password with an unescaped character ends up in another part.
    return (!(host + name).contains("@") && port.utf8.allSatisfy { "0123456789,".utf8.contains($0) }, hasPassword)
  }

  /// What libpq was doing (`PQstatus`) when a connection failed.
  private enum Phase {
    case connecting, tls, login, choosing

    init(_ state: Int32) {
      switch state {
      case 1, 2, 3, 8: self = .connecting
      case 7, 11: self = .tls
      case 9, 10, 12, 13: self = .choosing
      default: self = .login
      }
    }

    /// Returns the failure in words of this program, because libpq's own could quote a password.
    func failure(at place: String) -> String {
      switch self {
      case .connecting: "no connection to \(place): check its name and whether it runs"
      case .tls: "TLS with \(place) failed: it offers none, or its certificate is not trusted for this name"
      case .login: "\(place) rejects the user, the password or the name of the database, or it is starting or has no free connection"
      case .choosing: "\(place) is not a server that target_session_attrs allows"
      }
    }
  }

  /// One host of the URI; an empty name is the local socket.
  private struct Host {
    let name: String
    let port: String
    let parameters: [(name: String, value: String)]

    var place: String { name.isEmpty ? "the local socket" : "\(name), port \(port)" }

    var isThisMachine: Bool {
      let isLoopback = name.hasPrefix("127.") && name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
      return isLoopback || name.isEmpty || name.hasPrefix("/") || name.hasPrefix("@") || name == "localhost" || name == "::1"
    }
  }

  /// Connects to the first host that accepts. libpq's own function for several hosts cannot be told before it connects where notices go.
  static func open(_ uri: String, _ seconds: Int, _ certificates: String?) throws(Fault) -> OpaquePointer? {
    try check { reason, size, _ in cpostgres_load(reason, size) }
    // libpq rejects this value before it connects. Its parameters can then be read.
    let draft = try start(uri, [("target_session_attrs", "none")])
    defer { cpostgres_close(draft) }
    guard parameter("target_session_attrs", draft) == "none" else {
      throw .disconnected("its service file has no such service, or a parameter is wrong")
    }
    let limit = Int(parameter("connect_timeout", draft) ?? "").flatMap { $0 > 0 ? $0 : nil } ?? seconds
    let hosts = hosts(draft)
    let (tls, isImplied) = tls(uri, draft, hosts, certificates)
    var failures: [String] = []
    for host in hosts {
      let connection = try start(uri, host.parameters + tls)
      var state: Int32 = 0
      do throws(Fault) {
        try check { reason, size, _ in cpostgres_connect(connection, Int32(clamping: limit * 1000), &state, reason, size) }
        return connection
      } catch {
        cpostgres_close(connection)
        var failure = Phase(state).failure(at: host.place)
        if case .timedOut = error { failure = "\(host.place) did not answer within \(limit) s" }
        if case .disconnected(let reason) = error, !reason.isEmpty { failure = reason }
        if isImplied, case .tls = Phase(state) {
          failure += "; the URI has no sslmode: name the certificate's CA with sslrootcert=FILE, or add sslmode"
        }
        failures.append(failure)
      }
    }
    throw .disconnected(failures.joined(separator: "; "))
  }

  /// Returns the hosts that libpq would try, each with the parameters that name it alone.
  private static func hosts(_ draft: OpaquePointer) -> [Host] {
    func list(_ name: String) -> [String] {
      let value = parameter(name, draft) ?? ""
      return value.isEmpty ? [] : value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
    let count = max(names.count, addresses.count, 1)
    // libpq explains lists of different lengths.
    guard [names, addresses].allSatisfy({ $0.isEmpty || $0.count == count }), ports.count <= 1 || ports.count == count else {
      return [Host(name: names.first ?? "", port: "", parameters: [])]
    }
    return (0..<count).map { index in
      let port = ports.count > 1 ? ports[index] : ports.first ?? ""
      var parameters = [(name: "port", value: port)]
      if !names.isEmpty { parameters.append(("host", names[index])) }
      if !addresses.isEmpty { parameters.append(("hostaddr", addresses[index])) }
      let address = addresses.isEmpty || addresses[index].isEmpty ? (names.isEmpty ? "" : names[index]) : addresses[index]
      return Host(name: address, port: port, parameters: parameters)
    }
  }

  /// Returns the parameters for a connection to another machine without `sslmode`: libpq's default would take any certificate, and no TLS, too.
  private static func tls(
    _ uri: String, _ draft: OpaquePointer, _ hosts: [Host], _ certificates: String?
  ) -> (parameters: [(name: String, value: String)], isImplied: Bool) {
    let isNamed = parameter("sslmode", of: uri)?.isEmpty == false || getenv("PGSSLMODE").map { $0.pointee != 0 } == true
    // A service file with this value cannot be told from libpq's default.
    guard !isNamed, parameter("sslmode", draft) == "prefer", !hosts.allSatisfy(\.isThisMachine) else { return ([], false) }
    let isRootNamed = parameter("sslrootcert", draft)?.isEmpty == false
    return ([("sslmode", "verify-full")] + (isRootNamed ? [] : certificates.map { [("sslrootcert", $0)] } ?? []), true)
  }

  /// Begins a connection. `parameters` count instead of the URI's.
  private static func start(_ uri: String, _ parameters: [(name: String, value: String)]) throws(Fault) -> OpaquePointer {
    var block = parameters.flatMap { $0.name.utf8CString + $0.value.utf8CString }
    block.append(0)
    guard let connection = cpostgres_start(uri, block) else { throw .disconnected("out of memory") }
    return connection
  }

  /// Returns a parameter of the URI, or of the connection as libpq uses it. An empty text has no value; nil if libpq cannot read the URI.
  private static func parameter(_ name: String, of uri: String = "", _ connection: OpaquePointer? = nil) -> String? {
    var value = [CChar](repeating: 0, count: 4096)
    let isRead = value.withUnsafeMutableBufferPointer { cpostgres_parameter(connection, uri, name, $0.baseAddress, $0.count) }
    return isRead == 0 ? nil : String(terminated: value)
  }
}
