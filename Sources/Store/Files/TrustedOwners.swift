import Platform

/// The users whose files the process trusts: its own user, root, and the users named on the command line. ssh applies the same rule to its files.
package struct TrustedOwners: Sendable {
  private let users: [UInt32]

  package init(_ named: [UInt32] = []) { users = named + [0, geteuid()] }

  /// Rejects a file of any other user.
  func check(_ status: stat, _ path: String) throws(PosixFile.Fault) {
    let owner = UInt32(status.st_uid)
    guard users.contains(owner) else { throw .ofOther(owner, path) }
  }

  /// Checks a file that the user writes. Other users may read it but must not be able to change it.
  func usersOwn(_ status: stat, _ path: String) throws(PosixFile.Fault) {
    try check(status, path)
    let isWritable = status.st_mode & 0o002 != 0 || (status.st_mode & 0o020 != 0 && !Self.isPrivateGroup(status))
    guard isWritable else { return }
    throw PosixFile.Fault(path: path, code: EPERM, problem: "other users can change it: make it writable only for its owner (chmod go-w)")
  }

  /// Whether the file's group has no member but the file's owner. Many systems create such a private group for each user.
  private static func isPrivateGroup(_ status: stat) -> Bool {
    guard let user = getpwuid(status.st_uid), user.pointee.pw_gid == status.st_gid, let name = user.pointee.pw_name else { return false }
    let owner = String(cString: name)
    guard var member = getgrgid(status.st_gid)?.pointee.gr_mem else { return false }
    while let other = member.pointee {
      guard String(cString: other) == owner else { return false }
      member += 1
    }
    return true
  }
}
