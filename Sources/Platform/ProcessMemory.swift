import CPlatform

/// The memory of this process, which holds tokens.
package enum ProcessMemory {
  /// Protects the memory from other processes of the same user and from core dumps. Child programs are unaffected.
  package static func keepPrivate() { cplatform_keep_memory_private() }
}
