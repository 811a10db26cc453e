/// The program's version, as `--version`, `initialize` and the schemas state it.
package enum Version {
  package static let current = "0.3.0"
}
