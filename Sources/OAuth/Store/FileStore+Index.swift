import Dispatch
import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension FileStore {
  /// Far above the size of an index of 100,000 grants.
  private static let indexLimit = 64 << 20

  private var indexPath: String { "\(folder)/\(ListingIndex.name)" }

  /// Returns the index's entries by file name. An index that cannot be used counts as empty, because listings work without it.
  func readIndex() -> [String: ListingIndex.Entry] {
    guard let file = try? PosixFile.read(indexPath, limit: Self.indexLimit, check: owners.own), let key = try? existingKey(),
      let entries = ListingIndex.open(file, with: key)
    else { return [:] }
    var byName = [String: ListingIndex.Entry](minimumCapacity: entries.count)
    for entry in entries { byName[entry.name] = entry }
    return byName
  }

  /// Replaces the index. A failure is ignored, because listings work without it.
  func writeIndex(_ entries: [ListingIndex.Entry]) {
    guard let key = try? existingKey(), let sealed = try? ListingIndex.seal(entries, with: key), sealed.count <= Self.indexLimit else {
      return removeIndex()
    }
    do throws(PosixFile.Fault) {
      let file = try TemporaryFile(TemporaryName.of(indexPath, random), in: folder, isDurable: false)
      try file.write(sealed)
      try file.move(over: indexPath)
      // A process that removes a grant deletes the index afterwards. If that happened before the move, this process has to delete it.
      let names = Set(try PosixFile.names(in: folder, endingIn: FileName.suffix))
      if !entries.allSatisfy({ names.contains($0.name) }) { removeIndex() }
    } catch {
      removeIndex()
    }
  }

  func removeIndex() { unlink(indexPath) }

  package func finish() { _ = indexing.wait(timeout: .now() + .seconds(Self.indexSeconds)) }

  /// Seconds that an index which is being written may still take when the process ends.
  private static let indexSeconds = 1
}
