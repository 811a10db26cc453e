# On Linux, this installs the built program. On macOS, it builds the source: that part is untried.
class OauthStdio < Formula
  desc "OAuth for any program that can start a process"
  homepage "@URL@"
  version "@VERSION@"
  license "Apache-2.0"

  on_linux do
    on_intel do
      url "@URL@/@TARBALL@"
      sha256 "@TARBALL_SHA256@"
    end
  end

  on_macos do
    url "@URL@/@SOURCE@"
    sha256 "@SOURCE_SHA256@"
    depends_on xcode: ["26.0", :build]
    depends_on "jansson"
  end

  def install
    if OS.mac?
      # Homebrew's sandbox contains SwiftPM already, and no second one starts in it.
      system "Sources/packaging/release.sh", "--disable-sandbox", "--product", "oauth-stdio"
      ENV["OAUTH_STDIO"] = (buildpath/".build/release/oauth-stdio").to_s
      system "examples/install.sh", prefix
    else
      prefix.install "bin", "share"
    end
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/oauth-stdio --version")
  end
end
