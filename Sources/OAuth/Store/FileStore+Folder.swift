import OAuthCore
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Creates the folder if it is missing, and checks an existing one.
  func makeFolder() throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in
      try PosixFile.makeFolder(folder)
      try checkFolderItself()
    }
  }

  /// Rejects a folder of another user. A missing folder passes.
  func checkFolder() throws(OAuthFailure) {
    try StorageFailure.of { () throws(PosixFile.Fault) in try checkFolderItself() }
  }

  private func checkFolderItself() throws(PosixFile.Fault) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
    try owners.check(status, folder)
    guard status.st_mode & 0o077 != 0, status.st_uid == geteuid() else { return }
    try tighten()
  }

  /// Removes other users' permissions from a folder that holds only the store's files and belongs to this process's user.
  ///
  /// Other folders keep their mode: `--store /tmp` names a folder that other programs use as well.
  private func tighten() throws(PosixFile.Fault) {
    let names = try PosixFile.names(in: folder)
    guard names.contains(KeyFile.name), names.allSatisfy(FileName.isOfStore) else { return }
    guard chmod(folder, 0o700) == 0 else { return }
    for name in names {
      var status = stat()
      let path = "\(folder)/\(name)"
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o077 != 0 else {
        continue
      }
      chmod(path, status.st_mode & 0o700)
    }
    log(.folderTightened(folder))
  }
}
