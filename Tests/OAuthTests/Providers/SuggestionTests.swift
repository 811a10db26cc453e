import Jansson
import Testing

@testable import OAuthCore
@testable import Plans
@testable import Platform

struct SuggestionTests {
  @Test(
    arguments: [
      ("GitHub", "github"), ("gtihub", "github"), ("gogle", "google"), ("goggle", "google"), ("slak", "slack"), ("micosoft", "microsoft"),
      ("linkedin_native", "linkedin-native"), ("X", nil), ("", nil), ("nowhere", nil), ("qq", nil), ("examplecorp", nil),
    ] as [(String, String?)])
  func theNearestNameIsMeant(written: String, meant: String?) {
    #expect(Suggestion.of(written, among: ProviderCatalog.builtIn.names) == meant)
  }

  @Test func aNameThatIsNotThereIsSaidWithWhatMayBeMeant() {
    let failure = #expect(throws: OAuthFailure.self) { try ProviderCatalog.builtIn.resolve(.preset("GitHub")) }
    #expect(failure?.message == #"there is no provider "GitHub": did you mean "github"?"#)
    #expect(failure?["known"] != nil && failure?["path"] == "/provider")
    let odd = "a\u{1B}b\n" + String(repeating: "c", count: 999)
    let other = #expect(throws: OAuthFailure.self) { try ProviderCatalog.builtIn.resolve(.preset(odd)) }
    #expect(other?.message == "there is no provider \"ab" + String(repeating: "c", count: 56) + "\"")
  }
}
