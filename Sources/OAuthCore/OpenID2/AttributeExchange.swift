import Jansson

/// Attributes of a user by type URI (OpenID Attribute Exchange 1.0, section 5: fetch).
package struct AttributeExchange: FieldObject, Equatable {
  /// No service has more values of one type for a user. A larger count would only cost time.
  static let mostValues = 100

  /// Types by alias. The same aliases name their values later.
  package var required = NamedValues<String>()
  package var optional = NamedValues<String>()
  /// The number of values for an alias, if more than one: a number, or `unlimited`.
  package var counts = NamedValues<String>()

  package init(
    required: [(name: String, value: String)] = [], optional: [(name: String, value: String)] = [],
    counts: [(name: String, value: String)] = []
  ) {
    self.required = NamedValues(required)
    self.optional = NamedValues(optional)
    self.counts = NamedValues(counts)
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    required = try fields.optional(
      "required", default: .init(), "The attributes without which the sign-in is useless: their types by alias.")
    optional = try fields.optional("optional", default: .init(), "The attributes that are welcome: their types by alias.")
    counts = try fields.optional("counts", default: .init(), "The number of requested values by alias: a number, or `unlimited`.")
    for (member, values) in [("required", required), ("optional", optional)] {
      for (alias, type) in values.pairs {
        let pointer = ObjectReader.pointer(to: alias, in: fields.pointer(member))
        // A dot would create further fields (2.1 of the extension), a comma two aliases.
        guard !alias.isEmpty, alias.utf8.allSatisfy({ isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
        else { throw FieldError(pointer, "has an alias with other characters than letters, digits, _ and -") }
        if (try? URLParts(type)) == nil { throw FieldError(pointer, "must be the type's URI") }
      }
    }
    for (alias, count) in counts.pairs where count != "unlimited" && Int(count).map({ (1...Self.mostValues).contains($0) }) != true {
      throw FieldError(
        ObjectReader.pointer(to: alias, in: fields.pointer("counts")), "must be unlimited or a number from 1 to \(Self.mostValues)")
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in [("required", required), ("optional", optional), ("counts", counts)] where !value.pairs.isEmpty {
      writer.name(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  package var isEmpty: Bool { required.pairs.isEmpty && optional.pairs.isEmpty }

  package static func == (a: AttributeExchange, b: AttributeExchange) -> Bool {
    func isEqual(_ a: NamedValues<String>, _ b: NamedValues<String>) -> Bool { a.pairs.elementsEqual(b.pairs, by: ==) }
    return isEqual(a.required, b.required) && isEqual(a.optional, b.optional) && isEqual(a.counts, b.counts)
  }

  /// Returns the fields of the request (5.1). The bare dialect has no namespaces.
  package func fields(declaring: Bool) -> [(name: String, value: String)] {
    guard !isEmpty else { return [] }
    var fields: [(name: String, value: String)] = declaring ? [("ns.ax", OpenIDMessage.attributeExchange)] : []
    fields.append(("ax.mode", "fetch_request"))
    for (alias, type) in required.pairs + optional.pairs { fields.append(("ax.type.\(alias)", type)) }
    for (alias, count) in counts.pairs { fields.append(("ax.count.\(alias)", count)) }
    for (name, values) in [("required", required), ("if_available", optional)] where !values.pairs.isEmpty {
      fields.append(("ax.\(name)", values.pairs.map(\.name).joined(separator: ",")))
    }
    return fields
  }

  /// Returns the signed values of the response (5.2) under our aliases; further values are named `alias.2` and so on.
  ///
  /// Reads a single value with or without a count. The provider may use its own aliases, which are matched by type. In the bare dialect it may omit
  /// the types.
  package func values(in signed: OpenIDMessage) -> [(name: String, value: String)] {
    guard let space = signed.alias(of: OpenIDMessage.attributeExchange) ?? (signed["ns.ax"] == nil ? "ax" : nil) else { return [] }
    return (required.pairs + optional.pairs).flatMap { alias, type in
      let prefix = "\(space).type."
      let theirs = signed.fields.first { $0.value == type && $0.name.hasPrefix(prefix) }.map { String($0.name.dropFirst(prefix.count)) }
      guard let theirs = theirs ?? (signed["\(space).type.\(alias)"] == nil ? alias : nil) else { return [(String, String)]() }
      let values = Self.values(of: theirs, in: signed, space)
      return values.enumerated().map { ($0.offset == 0 ? alias : "\(alias).\($0.offset + 1)", $0.element) }
    }
  }

  private static func values(of alias: String, in signed: OpenIDMessage, _ prefix: String) -> [String] {
    guard let count = signed["\(prefix).count.\(alias)"].flatMap({ Int($0) }) else {
      return [signed["\(prefix).value.\(alias)"]].compactMap(\.self)
    }
    guard count > 0 else { return [] }
    let numbered = (1...min(count, mostValues)).compactMap { signed["\(prefix).value.\(alias).\($0)"] }
    return numbered.isEmpty && count == 1 ? [signed["\(prefix).value.\(alias)"]].compactMap(\.self) : numbered
  }
}
