/// How long a refresh may take. What one process does must end before another one gives up waiting or takes the lock over. All in seconds.
package enum RefreshTimes {
  /// How long a caller waits for the server's answer. The refresh goes on without the caller.
  package static let caller = 30
  /// The requests of one refresh together. Their answer may replace the refresh token, so a slow one is stored, too. None is sent in the last 30.
  package static let exchange = 50
  /// How long other processes wait for an account's lock in a folder: longer than an exchange and the writing of a file.
  package static let fileLock = 60
  /// How long a write to a database is repeated. A server that is restarted or fails over usually answers again by then.
  static let write = 25
  /// The lease of a lock in a database, and the wait for a refresh that another machine has announced: an exchange, its write, and 5 more.
  package static let lease = 80
  /// How long other processes wait for a lock in a database: a lease that its holder does not end, and 30 for another one that waits.
  static let databaseLock = 110
}
