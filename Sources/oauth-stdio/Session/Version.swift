/// The program's version, as `--version`, `initialize` and the schemas state it.
enum Version {
  static let current = "0.1.0"
}
