import Jansson
import Platform

/// A file of the user that this program changes and others read, such as a configuration in JSON.
package struct UserFile {
  package struct Fault: Error {
    package var message: String
    /// Whether the user has to change the file, because this program would lose its other content.
    package var isForUser: Bool

    package init(message: String, isForUser: Bool = false) { (self.message, self.isForUser) = (message, isForUser) }
  }

  /// The file itself. A link to it, as in a folder of settings under version control, stays a link.
  package let path: String
  /// Whether only its owner may read it. A link of its name is replaced, because the other file may be for others, too.
  private let isSecret: Bool
  /// The path as it was given.
  private let written: String

  package init(_ path: String, isSecret: Bool = false) {
    (self.isSecret, written) = (isSecret, path)
    self.path = (isSecret ? nil : PosixFile.realPath(path)) ?? path
  }

  var name: String { String(ProgramFile.name(path)) }

  var folder: String { Self.folder(of: path) }

  static func folder(of path: String) -> String { path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "." }

  /// Changes the members of a JSON object. The other content stays as it is, but for the form of the text and of fractions.
  package func change(_ work: (inout [JSON.Member]) throws(Fault) -> Void) throws(Fault) {
    try replace { () throws(Fault) in
      let bytes: [UInt8]?
      do throws(PosixFile.Fault) { bytes = try PosixFile.read(path, followsLinks: false) } catch {
        throw Fault(message: "\(path.plain) cannot be read: \(error.reason)")
      }
      var members: [JSON.Member] = []
      if let bytes, bytes.contains(where: { $0 > 0x20 }) {
        guard let json = try? JSON.parse(bytes), let existing = json.members else {
          throw Fault(message: "\(path.plain) is not a JSON object, or it has a number of more than 64 bits", isForUser: true)
        }
        members = existing
      }
      try work(&members)
      return IndentedJSON.text(JSON.object(members).text) + [UInt8(ascii: "\n")]
    }
  }

  /// Replaces the file. A second file with the suffix `.lock` shows other commands that this one is at work, as Git's does.
  func replace(by content: () throws(Fault) -> [UInt8]) throws(Fault) {
    var (status, linked) = (stat(), stat())
    let isThere = stat(path, &status) == 0
    guard isThere || isSecret || lstat(path, &linked) != 0 else {
      throw Fault(message: "\(path.plain) is a link to a file that does not exist", isForUser: true)
    }
    guard path == written || (try? FilePlace(written, makes: true).mayBeFollowed) == true else {
      throw Fault(message: "\(written.plain) is or is behind a link that root did not make", isForUser: true)
    }
    // No secret of an account has such a name.
    let lock = "\(folder)/.\(name).lock"
    do throws(PosixFile.Fault) {
      if folder != "" { try PosixFile.makeFolder(folder) }
      var place = stat()
      // What root writes is given to the folder's owner.
      if isSecret, stat(folder == "" ? "/" : folder, &place) != 0 || geteuid() != 0 && place.st_uid != geteuid() {
        throw PosixFile.Fault(path: folder, code: EACCES, problem: "its folder belongs to another user")
      }
      try Self.create(lock)
    } catch {
      guard error.code != EEXIST else {
        throw Fault(message: "another command changes \(path.plain): delete \(lock.plain) if none is running")
      }
      throw Fault(message: "\(path.plain) cannot be written: \(error.reason)")
    }
    defer { unlink(lock) }
    // The file is read only now, so that no other command's change is lost.
    let bytes = try content()
    do throws(PosixFile.Fault) {
      let next = lock + ".new"
      unlink(next)
      // The user decides who has the file and who may read it.
      try PosixFile.writeNew(next, bytes, inPlaceOf: isThere && !isSecret ? status : nil)
      guard rename(next, path) == 0 else {
        let code = errno
        unlink(next)
        throw PosixFile.Fault(path: path, code: code)
      }
    } catch {
      throw Fault(message: "\(path.plain) cannot be written: \(error.reason)")
    }
  }

  /// Creates the lock. Another command has it for a moment only, so this one waits up to two seconds for it.
  private static func create(_ lock: String) throws(PosixFile.Fault) {
    for _ in 0..<40 {
      do throws(PosixFile.Fault) { return try PosixFile.writeNew(lock, []) } catch {
        guard error.code == EEXIST else { throw error }
      }
      usleep(50_000)
    }
    try PosixFile.writeNew(lock, [])
  }

  package static func set(_ member: JSON.Member, in members: inout [JSON.Member]) {
    if let index = members.firstIndex(where: { $0.name == member.name }) { members[index] = member } else { members.append(member) }
  }
}
