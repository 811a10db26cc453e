import Methods
import Platform

/// A link to this program by a name that another program starts.
struct Shim {
  let path: String
  private let name: String
  private let folder: String
  private let log: Log
  /// Whether the other program looks in PATH.
  private let isInPath: Bool

  /// The folder of the user's programs, in the home.
  static let programs = "/.local/bin"

  static var home: String {
    get throws(Options.Fault) {
      if let home = ProcessEnvironment.variable("HOME"), home.hasPrefix("/") { return home }
      throw Options.Fault("HOME names no folder, so the files of the user cannot be found")
    }
  }

  init(_ name: String, in folder: String = programs, isInPath: Bool = false, _ log: Log) throws(Options.Fault) {
    (self.name, self.log, self.isInPath) = (name, log, isInPath)
    self.folder = try Self.home + folder
    path = self.folder + "/" + name
  }

  /// Makes the link, unless PATH has it. Returns where the other program finds it.
  @discardableResult
  func make() throws(Options.Fault) -> String {
    let variable = ProcessEnvironment.variable("PATH")
    func isOwn(_ path: String) -> Bool { SetupCommand.real(path) == SetupCommand.ownPath }
    if isInPath, let found = ProgramFile.find(name, in: variable), isOwn(found) { return found }
    do throws(PosixFile.Fault) { try PosixFile.makeFolder(folder) } catch {
      throw Options.Fault("\(folder) cannot be made: \(error.reason)")
    }
    var status = stat()
    guard remove() || lstat(path, &status) != 0 else {
      throw Options.Fault("\(path) is another program: move it, so that this one can have that name")
    }
    guard symlink(SetupCommand.programPath, path) == 0 else { throw Options.Fault("\(path) cannot be made: \(Descriptors.reason(errno))") }
    log.line("\(path) now starts oauth-stdio.")
    guard isInPath else { return path }
    if let other = ProgramFile.find(name, in: variable, where: { !isOwn($0) }) {
      log.line("Put \(folder) before the folder of \(other.plain) in PATH. Other programs then no longer ask that one for passwords.")
    } else if ProgramFile.find(name, in: variable) == nil {
      log.line("Add \(folder) to PATH, where other programs look for it.")
    }
    return path
  }

  /// Removes the link, if it is one to this program or to one that an update has replaced. Returns whether it removed one.
  @discardableResult
  func remove() -> Bool {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard count > 0 else { return false }
    let place = String(decoding: bytes[..<count], as: UTF8.self)
    return (SetupCommand.real(path) == SetupCommand.ownPath || ProgramFile.name(place) == SetupCommand.helper) && unlink(path) == 0
  }
}
