import JSONRPC
import Jansson
import Testing

@Suite struct NotifierTests {
  private func written(_ choice: Notifier.Choice, _ body: (Notifier) async -> Void) async -> [String] {
    let pipe = Pipe()
    let output = Output(descriptor: pipe.writeEnd, pinned: nil)
    await body(Notifier(output: output, choice: choice))
    return await blocking {
      output.flush()
      return FrameDecoder.frames(in: pipe.finish()).map(\.short)
    }
  }

  @Test func eventsAreNumberedOverAllOfThem() async {
    let found = await written(.all) { notifier in
      notifier.notify(Told(text: "a"))
      notifier.notify(Other())
      notifier.notify(Told(text: "\"\n"))
    }
    #expect(
      found == [
        #"l:{"jsonrpc":"2.0","method":"wasTold","params":{"seq":1,"text":"a"}}"#,
        #"l:{"jsonrpc":"2.0","method":"other","params":{"seq":2}}"#,
        #"l:{"jsonrpc":"2.0","method":"wasTold","params":{"seq":3,"text":"\"\n"}}"#,
      ])
  }

  @Test func noLaterNumberOvertakesAnEarlierOne() async throws {
    let found = await written(.all) { notifier in
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<16 {
          group.addTask {
            for _ in 0..<100 {
              notifier.notify(Other())
              await Task.yield()
            }
          }
        }
      }
    }
    #expect(found == (1...1600).map { #"l:{"jsonrpc":"2.0","method":"other","params":{"seq":\#($0)}}"# })
  }

  @Test func onlyWhatWasChosenIsSentAndAllIsCounted() async {
    let found = await written(.only(["wasTold"])) { notifier in
      notifier.notify(Other())
      notifier.notify(Told(text: "a"))
      notifier.choose(.none)
      notifier.notify(Told(text: "b"))
      notifier.choose(.all)
      notifier.notify(Other())
    }
    #expect(
      found == [
        #"l:{"jsonrpc":"2.0","method":"wasTold","params":{"seq":2,"text":"a"}}"#,
        #"l:{"jsonrpc":"2.0","method":"other","params":{"seq":4}}"#,
      ])
  }

  @Test func whatARequestCausedIsWrittenBeforeItsAnswer() async throws {
    for _ in 0..<50 {
      let peer = PipePeer()
      peer.request("1", "tell", #"["a"]"#)
      #expect(try await peer.finish() == [#"wasTold {"seq":1,"text":"a"}"#, "1 {}"])
    }
  }
}

@Suite struct OpenRPCTests {
  @Test func theDocumentIsMadeOfTheDeclarations() throws {
    let openRPC = OpenRPC(
      title: "t", version: "1", description: "d",
      errors: [(1000, "asked", "it failed", []), (1001, "told", "no", [ObjectReader.Declaration("why", always: "so", "The reason.")])])
    let document = try openRPC.document(Bench.methods, events: [Told.self, Other.self])
    #expect(document["openrpc"] == "1.3.2" && document["info"]?["title"] == "t")
    let methods = try #require(document["methods"]?.array)
    #expect(methods.map { $0["name"]?.string } == Bench.methods.map(\.name))
    let subtract = try #require(methods.first)
    #expect(subtract["params"]?.array?.map { $0["name"]?.string } == ["minuend", "subtrahend"])
    #expect(subtract["params"]?.array?.allSatisfy { $0["required"] == true && $0["schema"] == ["type": "integer"] } == true)
    #expect(subtract["x-acceptsUnknownParams"] == nil)
    let emit = try #require(methods.last)
    #expect(emit["x-acceptsUnknownParams"] == true && emit["params"]?.array?.first?["description"] == "What is told.")
    #expect(methods.first { $0["name"] == "shutdown" }?["result"]?["schema"] == ["type": "null"])
    #expect(document["components"]?["errors"]?["asked"] == ["code": 1000, "message": "it failed", "data": ["kind": "asked"]])
    let schemas = try #require(document["components"]?["schemas"])
    #expect(document["x-errorData"]?["told"] == ["$ref": "#/components/schemas/ToldData"])
    #expect(schemas["ToldData"]?["properties"]?["kind"]?["const"] == "told")
    #expect(schemas["ToldData"]?["properties"]?["why"]?["description"] == "The reason.")
    #expect(schemas["ToldData"]?["required"] == ["kind", "why"] && schemas["AskedData"]?["required"] == ["kind"])
    #expect(subtract["result"]?["schema"] == ["$ref": "#/components/schemas/SubtractResult"])
    #expect(schemas["SubtractResult"]?["required"] == ["value"] && schemas["Empty"] != nil)
    #expect(subtract["errors"]?.array?.map { $0["code"] } == [1000, 1001])
    #expect(subtract["errors"]?.array?.first == document["components"]?["errors"]?["asked"])
    let params: JSON = [["name": "minuend", "value": 3], ["name": "subtrahend", "value": 1]]
    #expect(
      subtract["examples"] == [["name": "call", "params": params, "result": ["name": "result", "value": ["value": 2]]]])
    #expect(emit["errors"] == nil && emit["examples"] == nil)
    let events = try #require(document["x-notifications"]?.array)
    #expect(events.map { $0["name"]?.string } == ["wasTold", "other"])
    #expect(events.map { $0["params"]?["$ref"] } == ["#/components/schemas/WasTold", "#/components/schemas/Other"])
    #expect(schemas["WasTold"]?["required"] == ["seq", "text"] && schemas["Other"]?["required"] == ["seq"])
  }
}
