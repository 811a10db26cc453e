import Jansson

/// Attributes of a user by type URI (OpenID Attribute Exchange 1.0, section 5: fetch).
package struct AttributeExchange: FieldObject {
  /// Types by alias. The same aliases name their values later.
  package var required = NamedValues<String>()

  package init(required: [(name: String, value: String)] = []) { self.required = NamedValues(required) }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    required = try fields.optional("required", default: .init(), "The types of the attributes by alias.")
    for (alias, type) in required.pairs {
      let pointer = ObjectReader.pointer(to: alias, in: fields.pointer("required"))
      // A dot would create further fields (2.1 of the extension), a comma two aliases.
      guard !alias.isEmpty, alias.utf8.allSatisfy({ isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") })
      else { throw FieldError(pointer, "has an alias with other characters than letters, digits, _ and -") }
      if (try? URLParts(type)) == nil { throw FieldError(pointer, "must be the type's URI") }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("required")
    required.write(to: &writer)
    writer.endObject()
  }

  /// Returns the fields of the request (5.1). The bare dialect has no namespaces.
  package func fields(declaring: Bool) -> [(name: String, value: String)] {
    guard !required.pairs.isEmpty else { return [] }
    return (declaring ? [("ns.ax", OpenIDMessage.attributeExchange)] : []) + [("ax.mode", "fetch_request")]
      + required.pairs.map { ("ax.type.\($0.name)", $0.value) } + [("ax.required", required.pairs.map(\.name).joined(separator: ","))]
  }

  /// Returns the signed values of the response (5.2) under our aliases, one of each type.
  ///
  /// Reads a single value with or without a count. The provider may use its own aliases, which are matched by type. In the bare dialect it may omit
  /// the types.
  package func values(in signed: OpenIDMessage) -> [(name: String, value: String)] {
    guard let space = signed.alias(of: OpenIDMessage.attributeExchange) ?? (signed["ns.ax"] == nil ? "ax" : nil) else { return [] }
    return required.pairs.compactMap { alias, type in
      let prefix = "\(space).type."
      let theirs = signed.fields.first { $0.value == type && $0.name.hasPrefix(prefix) }.map { String($0.name.dropFirst(prefix.count)) }
      guard let theirs = theirs ?? (signed["\(space).type.\(alias)"] == nil ? alias : nil) else { return nil }
      return (signed["\(space).value.\(theirs)"] ?? signed["\(space).value.\(theirs).1"]).map { (alias, $0) }
    }
  }
}
