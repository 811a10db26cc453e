import TestSupport
import Testing

@testable import OAuthCore

@Suite struct HTMLHeadTests {
  private func head(_ page: String) -> HTMLHead { HTMLHead(Array(page.utf8)) }
  private func provider(_ page: String) -> String? { head(page).link("openid2.provider") }

  @Test(arguments: [
    "<html><head><link rel=\"openid2.provider\" href=\"https://op.example/?a=1&b=2\"></head>",
    "<!DOCTYPE html>\n<HTML lang=en><HEAD><LINK HREF='https://op.example/?a=1&amp;b=2' REL='OpenID2.Provider openid.server'/></HEAD>",
    "<link rel = openid2.provider href = https://op.example/?a=1&b=2>",
    "<head><title>a < b <link rel=openid2.provider href=x></title><link href=\" https://op.example/?a=1&#38;b=2 \" rel=\"x\topenid2.provider\">",
    "<head><script>if (a<b) '<link rel=openid2.provider href=x>'</script ><style></style><meta charset=utf-8>"
      + "<link a a=1 rel=openid2.provider rel=other href=https://op.example/?a=1&b=2>",
    "\u{FEFF}<!-- > <link rel=openid2.provider href=x> -->\n<?php ?><base href=/><link rel=openid2.provider href=https://op.example/?a=1&b=2>",
    "<noscript><link rel=openid2.provider href=https://op.example/?a=1&b=2></noscript>",
  ])
  func links(page: String) { #expect(provider(page) == "https://op.example/?a=1&b=2") }

  /// A visitor may write into a page's body, so only the head names a provider.
  @Test(arguments: [
    "<head></head><link rel=openid2.provider href=x>", "<body><link rel=openid2.provider href=x>", "<p><link rel=openid2.provider href=x>",
    "text<link rel=openid2.provider href=x>", "<head><title></title><div><link rel=openid2.provider href=x>",
    "<head></html><link rel=openid2.provider href=x>", "<template><link rel=openid2.provider href=x></template>",
    "<title><link rel=openid2.provider href=x>", "<!-- <link rel=openid2.provider href=x>", "<link rel=openid2.provider>",
    "<link rel=openid2.provider href=''>", "<link rel=openid2.providers href=x>", "<link rel=\"openid2.provider\" href=\"x",
    "<link rel=openid2.provider href=x",
    "<a rel=openid2.provider href=x>", "", "<", "</", "<!", "<link", "<link =>", "<link ==a rel=\"",
  ])
  func noLinks(page: String) { #expect(provider(page) == nil) }

  @Test func headers() {
    #expect(head("<meta http-equiv='x-xrds-location' content='https://x.example/'>").header("X-XRDS-Location") == "https://x.example/")
    #expect(head("<meta name='x-xrds-location' content='https://x.example/'>").header("X-XRDS-Location") == nil)
    #expect(head("<meta http-equiv='x-xrds-location'>").header("X-XRDS-Location") == nil)
  }

  @Test(.timeLimit(.minutes(1))) func largePages() {
    for piece in ["<link ", "<link>", "<!--", "<title>", "&amp", "<script></"] {
      #expect(provider(String(repeating: piece, count: 1 << 17)) == nil)
    }
  }
}
