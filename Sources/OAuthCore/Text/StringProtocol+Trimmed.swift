extension StringProtocol {
  /// The text without white space at its start and end.
  package var trimmed: SubSequence {
    guard let end = lastIndex(where: { !$0.isWhitespace }) else { return self[endIndex...] }
    return self[...end].drop(while: \.isWhitespace)
  }
}
