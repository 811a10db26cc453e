import Jansson

/// The attributes of a user that Simple Registration 1.1 defines.
package struct SimpleRegistration: FieldObject, Equatable {
  /// Simple Registration 1.1, section 4.
  package static let names = ["nickname", "email", "fullname", "dob", "gender", "postcode", "country", "language", "timezone"]

  package var required: [String] = []
  package var optional: [String] = []

  package init(required: [String] = [], optional: [String] = []) {
    self.required = required
    self.optional = optional
  }

  package init(_ fields: inout ObjectReader) throws(FieldError) {
    required = try fields.optional("required", default: [], "The fields without which the sign-in is useless.")
    optional = try fields.optional("optional", default: [], "The fields that are welcome.")
    for (member, names) in [("required", required), ("optional", optional)] {
      for (index, name) in names.enumerated() where !Self.names.contains(name) {
        throw FieldError(fields.pointer(member) + "/\(index)", "must be one of \(Self.names.joined(separator: ", "))")
      }
    }
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in [("required", required), ("optional", optional)] where !value.isEmpty {
      writer.name(name)
      value.write(to: &writer)
    }
    writer.endObject()
  }

  package var isEmpty: Bool { required.isEmpty && optional.isEmpty }

  /// Returns the fields of the request (section 3). The bare dialect has no namespaces.
  package func fields(declaring: Bool) -> [(name: String, value: String)] {
    guard !isEmpty else { return [] }
    var fields: [(name: String, value: String)] = declaring ? [("ns.sreg", OpenIDMessage.simpleRegistration)] : []
    if !required.isEmpty { fields.append(("sreg.required", required.joined(separator: ","))) }
    if !optional.isEmpty { fields.append(("sreg.optional", optional.joined(separator: ","))) }
    return fields
  }

  /// Returns the signed values of the response (section 4).
  package func values(in signed: OpenIDMessage) -> [(name: String, value: String)] {
    let alias =
      signed.alias(of: OpenIDMessage.simpleRegistration) ?? signed.alias(of: OpenIDMessage.simpleRegistration10)
      ?? (signed["ns.sreg"] == nil ? "sreg" : nil)
    guard let alias else { return [] }
    return (required + optional).compactMap { name in signed["\(alias).\(name)"].map { (name, $0) } }
  }
}
