import CPresets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A built-in preset: a JSON file of its name in the folder `Presets`. A test compares the list in CPresets with the files.
package struct Preset: Sendable {
  package let name: String
  private let index: Int

  /// The preset's JSON text. It is copied at each use, which keeps the start fast.
  package var text: [UInt8] {
    let text = cpresets_all()[index].text!
    return Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  package static func named(_ name: String) -> Preset? { all.first { $0.name == name } }

  /// All presets, sorted by name.
  package static let all = (0..<Int(cpresets_count())).map { Preset(name: String(cString: cpresets_all()[$0].name), index: $0) }
}
