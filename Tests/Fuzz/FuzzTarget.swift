/// A parser with the properties that hold for every input. Its initialiser makes what all runs share.
protocol FuzzTarget: Sendable {
  static var name: String { get }
  init() throws
  func run(_ input: [UInt8]) throws
}

/// Ends the process unless the property holds. libFuzzer then saves the input.
func require(_ holds: Bool, _ property: @autoclosure () -> String) {
  if !holds { fatalError(property()) }
}

/// Returns the value, or the error if that is of the expected type.
func outcome<Value, Failure: Error>(_ work: () throws(Failure) -> Value) -> Result<Value, Failure> {
  do throws(Failure) {
    return .success(try work())
  } catch {
    return .failure(error)
  }
}

extension Result {
  var value: Success? { if case .success(let value) = self { value } else { nil } }
  var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}

extension String {
  /// Compares bytes, since a combining mark after the text changes its last character.
  func quotes(_ text: String) -> Bool { utf8.contains(text.utf8) }
}

extension [UInt8] {
  var text: String { String(decoding: self, as: UTF8.self) }
}
