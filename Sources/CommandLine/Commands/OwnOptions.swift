import Methods

/// The options that a command has besides the params of its method, and the words without them.
struct OwnOptions {
  private(set) var rest: [String] = []
  private var values: [(option: String, value: String)] = []

  /// Reads what the command's texts declare. Of those, curl's options have one dash, and may have an empty value.
  init(_ words: [String], of command: any EverydayCommand.Type) throws(Options.Fault) {
    // The usual `token ACCOUNT` has no option, and needs no texts.
    guard words.contains(where: { $0.hasPrefix("-") }) else {
      rest = words
      return
    }
    let declared = command.completedOptions
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
      let value: String? = parts.count == 2 ? parts[1] : isSwitch ? "" : open.popFirst()
      guard let value, isSwitch || !value.isEmpty || !word.hasPrefix("--") else {
        throw Options.Fault("\(option.name) needs a value")
      }
      values.append((option.name, value))
    }
  }

  subscript(_ option: String) -> [String] { values.filter { $0.option == option }.map(\.value) }

  /// Returns the rest apart: words alone, and the options of the process, which users and hosts put behind a command's name.
  func split() throws(Options.Fault) -> (words: [String], options: [String]) {
    var (open, words, options) = (rest[...], [String](), [String]())
    while let word = open.popFirst() {
      guard word.hasPrefix("-") else {
        words.append(word)
        continue
      }
      options.append(word)
      guard ProcessOption.takesValue(word) else { continue }
      guard let value = open.popFirst() else { throw Options.Fault("\(word.plain) needs a value") }
      options.append(value)
    }
    return (words, options)
  }

  /// Returns the option's last value, which must be one of a list.
  func word<Word: RawRepresentable<String> & CaseIterable>(_ option: String) throws(Options.Fault) -> Word? {
    try self[option].last.map { value throws(Options.Fault) in try Options.word(option, value) }
  }
}
