import OAuthCore
import Testing

@testable import CommandLine

struct EverydayCommandTests {
  @Test func theAlgorithmsOfKeyAreThoseWithAKeyPair() {
    let values = KeyCommand.completedOptions.first { $0.name == "--algorithm" }?.values
    #expect(values == JSONWebAlgorithm.allCases.filter { !$0.needsSecret }.map(\.rawValue))
  }
}
