import Jansson

/// What the help says of a command, from `EverydayCommands.json`. A test asks for the help of each.
extension EverydayCommand {
  private static let texts = (try? JSON.parse(PackageResources.EverydayCommands_json)) ?? .null

  private func words(_ member: String) -> [JSON] { Self.texts[rawValue]?[member]?.array ?? [] }

  var usage: String { Self.texts[rawValue]?["usage"]?.string ?? "" }
  var summary: String { Self.texts[rawValue]?["summary"]?.string ?? "" }
  /// Command lines to copy.
  var examples: [String] { words("examples").compactMap(\.string) }
  /// The params of the method that most users of the command need, in the order of their use.
  var usualParams: [String] { words("usual").compactMap(\.string) }
  /// What the command takes besides the params of its method, with usual values.
  var options: [(usage: String, text: String, values: [String])] {
    words("options").compactMap(\.array).map { part in
      (part[0].string ?? "", part[1].string ?? "", part.dropFirst(2).flatMap { $0.array ?? [] }.compactMap(\.string))
    }
  }
}
