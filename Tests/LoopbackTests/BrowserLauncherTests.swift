import TestSupport
import Testing

@testable import Loopback
@testable import OAuthCore
@testable import Platform

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct BrowserLauncherTests {
  @Test func theVariableIsReadAsCommands() {
    #expect(BrowserLauncher.Command.list("firefox:w3m -x").map(\.words) == [["firefox"], ["w3m", "-x"]])
    #expect(BrowserLauncher.Command.list("a  b\t%s &").map(\.words) == [["a", "b", "%s"]])
    #expect(BrowserLauncher.Command.list(" : :&:").isEmpty)
  }

  @Test func theUrlIsOneArgument() {
    let url = "https://a.example/?a=1&b=$(x);%s"
    #expect(BrowserLauncher.Command(words: ["x"]).arguments(for: url) == ["x", url])
    #expect(BrowserLauncher.Command(words: ["x", "--url=%s", "y"]).arguments(for: url) == ["x", "--url=\(url)", "y"])
  }

  @Test func openersDependOnTheDesktop() {
    let words = { (environment: [String: String]) in BrowserLauncher(environment: environment).commands().map { $0.words[0] } }
    #expect(words([:]) == ["wslview"])
    #expect(words(["DISPLAY": ":0"]) == ["xdg-open", "wslview"])
    #expect(words(["WAYLAND_DISPLAY": "wayland-0"]) == ["xdg-open", "wslview"])
    #expect(words(["WSL_DISTRO_NAME": "Debian"]) == ["wslview", "rundll32.exe", "xdg-open"])
    let windows = BrowserLauncher(environment: ["WSL_DISTRO_NAME": "Debian"]).commands()[1]
    #expect(windows.arguments(for: "https://a.example/?b&c") == ["rundll32.exe", "url.dll,FileProtocolHandler", "https://a.example/?b&c"])
    #expect(words(["BROWSER": "", "DISPLAY": ":0"]) == [])
    #expect(words(["BROWSER": ": :", "DISPLAY": ":0"]) == [])
    #expect(words(["BROWSER": "lynx:w3m", "DISPLAY": ":0"]) == ["lynx", "w3m", "xdg-open", "wslview"])
    #expect(words(["BROWSER": "xdg-open", "DISPLAY": ":0"]) == ["xdg-open", "wslview"])
    #expect(!BrowserLauncher(environment: ["BROWSER": "no-such-program", "PATH": "/bin"]).isAvailable())
    #expect(!BrowserLauncher(environment: ["BROWSER": "sh", "PATH": "bin:."]).isAvailable())
    #expect(!BrowserLauncher(environment: ["BROWSER": "/", "PATH": "/bin"]).isAvailable())
    #expect(BrowserLauncher(environment: ["BROWSER": "no-such-program:sh", "PATH": "/usr/bin:/bin"]).isAvailable())
  }

  @Test(arguments: [
    ("https://a.example/?a=b&c=d%20e#f", true), ("HTTP://127.0.0.1:1/", true), ("file:///etc/passwd", false), ("-https://a", false),
    ("javascript:alert(1)", false), ("https:a", false), ("https://a\nb", false), ("https://a b", false), ("https://a/`id`", false),
    ("https://a/\u{7f}", false), ("https://a/\"", false), ("https://a\u{0}b", false), ("", false), (" https://a", false),
  ])
  func onlyPagesOfTheWebAreOpened(_ url: String, isOpened: Bool) {
    #expect(BrowserLauncher.safe(url) == (isOpened ? url : nil))
    if !isOpened { #expect(BrowserLauncher(environment: ["BROWSER": "true", "PATH": "/usr/bin:/bin"]).open(url) == nil) }
  }

  @Test func aCommandThatFailsAtOnceIsFollowedByTheNext() async throws {
    let (said, folder) = (LogRecorder(), try TemporaryFolder())
    let killed = folder.script("killed", "kill -9 $$")
    let launcher = BrowserLauncher(
      environment: ["BROWSER": "false:\(killed):/nowhere:\(folder.script("three", "exit 3"))", "PATH": "/usr/bin:/bin"], log: said)
    try await #require(launcher.open("https://a.example/")).value()
    #expect(
      said.all.map(\.text) == [
        "the browser command /usr/bin/false failed: it ended with status 1", "the browser command \(killed) failed: signal 9 ended it",
        "the browser command \(folder.path)/three failed: it ended with status 3",
      ])
  }

  /// The child process records its arguments, streams, session, signals and environment.
  @Test func theBrowserIsStartedApart() async throws {
    let folder = try TemporaryFolder()
    let script =
      #"a=$(readlink /proc/$$/fd/0 /proc/$$/fd/1 /proc/$$/fd/2); b=$(cut -d" " -f6 /proc/$$/stat); "#
      + #"c=$(grep -E "^Sig(Blk|Ign)" /proc/$$/status | cut -f2); for w in "$1" "$2" "$a" $$ "$b" "$c"; do echo "$w"; done >"$OUT.part"; "#
      + #"mv "$OUT.part" "$OUT""#
    let browser = "no-such-program:\(folder.script("browser", script)) %s %s"
    let environment = ["BROWSER": browser, "PATH": "/usr/bin:/bin", "OUT": "\(folder.path)/out"]
    // As in the program. Restoring it would end the process of tests that run meanwhile.
    signal(SIGPIPE, SIG_IGN)
    var blocked = sigset_t()
    var before = sigset_t()
    sigfillset(&blocked)
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let isOpened = BrowserLauncher(environment: environment).open("https://a.example/?a=1&b=$(id);'c'")
    pthread_sigmask(SIG_SETMASK, &before, nil)
    #expect(isOpened != nil)
    #expect(await soon { folder.names.contains("out") })
    let lines = String(decoding: try #require(folder.read("out")), as: UTF8.self).split(separator: "\n").map(String.init)
    try #require(lines.count == 9)
    // Neither the argument nor the script was interpreted by a shell.
    #expect(lines[0] == "https://a.example/?a=1&b=%24(id);%27c%27" && lines[1] == lines[0])
    #expect(lines[2...4] == ["/dev/null", "/dev/null", "/dev/null"])
    #expect(lines[5] == lines[6], "the session is the child's own")
    // Only the 31 standard signals count: the C library reserves two above them.
    for mask in lines[7...8] { #expect(try #require(UInt64(mask, radix: 16)) & 0x7fff_ffff == 0) }
    let pid = try #require(pid_t(lines[5]))
    // After it is reaped, none of our processes has that number.
    #expect(await soon { kill(pid, 0) != 0 }, "the child was left as a zombie")
  }
}
