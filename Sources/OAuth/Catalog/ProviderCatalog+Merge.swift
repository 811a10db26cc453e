import Jansson

extension ProviderCatalog {
  /// Merges two descriptions; `upper` wins. Inner objects are merged too, so a description can change one parameter without repeating the others.
  static func merge(_ upper: [JSON.Member], over base: [JSON.Member]) -> [JSON.Member] {
    var merged = base
    for member in upper {
      guard let index = merged.firstIndex(where: { $0.name == member.name }) else {
        merged.append(member)
        continue
      }
      if case .object(let inner) = member.value, case .object(let below) = merged[index].value {
        merged[index].value = .object(merge(inner, over: below))
      } else {
        merged[index].value = member.value
      }
    }
    return merged
  }
}
