import Methods

/// The options that a command has besides the params of its method, and the words without them.
struct OwnOptions {
  private(set) var rest: [String] = []
  private var values: [(option: String, value: String)] = []

  /// Without `names`, all that the command's texts declare are read.
  init(_ words: [String], of command: any EverydayCommand.Type, _ names: [String]? = nil) throws(Options.Fault) {
    // The usual `token ACCOUNT` has no option, and needs no texts.
    guard words.contains(where: { $0.hasPrefix("-") }) else {
      rest = words
      return
    }
    let declared = command.completedOptions.filter { names?.contains($0.name) ?? true }
    var open = words[...]
    while let word = open.popFirst() {
      if word == "--" {
        rest += [word] + open
        return
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = declared.first(where: { $0.name == parts[0] }) else {
        rest.append(word)
        continue
      }
      let isSwitch = option.values == nil
      if isSwitch, parts.count == 2 { throw Options.Fault("\(option.name) takes no value") }
      guard let value = parts.count == 2 ? parts[1] : isSwitch ? "" : open.popFirst(), isSwitch || !value.isEmpty else {
        throw Options.Fault("\(option.name) needs a value")
      }
      values.append((option.name, value))
    }
  }

  subscript(_ option: String) -> [String] { values.filter { $0.option == option }.map(\.value) }

  /// Returns the option's last value, which must be one of a list.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ option: String) throws(Options.Fault) -> Word? {
    try self[option].last.map { value throws(Options.Fault) in try Options.word(option, value) }
  }
}
