import Loopback
import NIOCore
import NIOHTTP1
import OAuthCore

/// A program's connection: one request after another.
///
/// ```
/// head → DoorRequest → DoorExchange on a task → answer → the next head
/// ```
final class DoorConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// Seconds for a program to read the end of an answer whose request was not read to its end.
  private static let lingering = TimeAmount.seconds(5)

  private let door: Door
  private let place: DoorRequest.Place
  /// Whether the program needs no secret.
  private let isTrusted: Bool
  private let descriptor: Int32
  private var exchange: DoorExchange?
  private var task: Task<Void, Never>?
  /// Answers whose end is not written. The next request begins while the end of the last answer may still wait for the program.
  private var answers = 0
  /// Whether the program waits for room in the body.
  private var isPaused = false
  private var isInputClosed = false
  private var isClosing = false

  init(_ door: Door, _ place: DoorRequest.Place, isTrusted: Bool, _ descriptor: Int32) {
    (self.door, self.place, self.isTrusted, self.descriptor) = (door, place, isTrusted, descriptor)
  }

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    switch unwrapInboundIn(data) {
    case .head(let head): begin(head, context)
    case .body(let piece): isPaused = exchange?.body?.add(piece) == false
    case .end: exchange?.body?.finish()
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { if !isPaused { context.read() } }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let (bound, loop) = (NIOLoopBound((self, context), eventLoop: context.eventLoop), context.eventLoop)
    do throws(DoorFailure) {
      let request = try DoorRequest(head, at: place)
      let exchange = DoorExchange(request, door, isTrusted: isTrusted, context.channel) {
        loop.execute {
          bound.value.0.isPaused = false
          bound.value.1.read()
        }
      }
      self.exchange = exchange
      answers += 1
      task = Task(executorPreference: door.accounts.dependencies.http as? any TaskExecutor) {
        let mayGoOn = await exchange.run()
        loop.execute { bound.value.0.end(mayGoOn, bound.value.1) }
      }
    } catch {
      refuse(error.status, error.headers, error.body, context)
    }
  }

  /// Answers without reading the request to its end.
  private func refuse(_ status: Int, _ headers: [HTTPHeader], _ body: [UInt8], _ context: ChannelHandlerContext) {
    // The end of the answer brings what stands behind this request.
    isClosing = true
    var fields = HTTPHeaders(headers.map { ($0.name, $0.value) })
    fields.add(contentsOf: [("Content-Length", String(body.count)), ("Connection", "close")])
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    close(context)
  }

  /// Ends the answer. The next request, which may be there already, begins when the end is written.
  private func end(_ mayGoOn: Bool?, _ context: ChannelHandlerContext) {
    (exchange, task) = (nil, nil)
    // What has begun breaks off: without the last chunk, the program sees that it is not whole.
    guard let mayGoOn else { return context.close(promise: nil) }
    isClosing = !mayGoOn
    // An answer may come before the client's thread has read the body.
    if isPaused {
      isPaused = false
      context.read()
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.0.ended(bound.value.1) }
  }

  private func ended(_ context: ChannelHandlerContext) {
    answers -= 1
    if answers == 0, isClosing || isInputClosed { close(context) }
  }

  /// Closes the connection so that the program can read the answer: a reset could overtake it (RFC 9112, 9.6).
  private func close(_ context: ChannelHandlerContext) {
    isClosing = true
    guard !isInputClosed else { return context.close(promise: nil) }
    isPaused = false
    context.close(mode: .output, promise: nil)
    context.read()
    let channel = context.channel
    context.eventLoop.scheduleTask(in: Self.lingering) { channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      isInputClosed = true
      // A program may close its side behind its request, and reads the answer.
      if answers == 0 || exchange?.body?.isWhole == false || isGone { context.close(promise: nil) }
    case IdleStateHandler.IdleStateEvent.all:
      let isBodyOpen = exchange?.body?.isWhole == false && !isPaused
      if answers == 0 || isBodyOpen || isGone { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  /// Whether no process has the other end any more: a program that only closed its side looks the same until something is written.
  private var isGone: Bool { place != .unix && ConnectionOwner.ofPeer(descriptor) == .gone }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, exchange == nil else { return context.close(promise: nil) }
    if !isClosing { refuse(400, [], [], context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    exchange?.body?.fail()
    task?.cancel()
    door.connectionEnded()
  }
}
