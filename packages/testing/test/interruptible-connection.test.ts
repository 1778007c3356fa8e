import { connect, createServer, type Socket } from "node:net"
import { createInterruptibleConnection } from "@latchkey/testing/adapters"
import { expect, onTestFinished, test } from "vitest"

/** A server that echoes each message and records it. */
async function startEchoServer() {
  const heard: string[] = []
  const server = createServer((socket) => {
    socket.on("data", (message) => {
      heard.push(String(message))
      socket.write(message)
    })
    socket.on("error", () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { heard, port }
}

function sendAndReceive(socket: Socket, question: string): Promise<string> {
  return new Promise((resolve) => {
    socket.once("data", (answer) => resolve(String(answer)))
    socket.once("close", () => resolve("gone"))
    socket.write(question)
  })
}

async function connectThroughProxy() {
  const { heard, port } = await startEchoServer()
  const way = await createInterruptibleConnection({ port })
  onTestFinished(() => way[Symbol.asyncDispose]())
  const client = () => {
    const socket = connect(way.port, "127.0.0.1").on("error", () => undefined)
    return socket.setNoDelay(true)
  }
  return { heard, way, client }
}

test("forwards everything before and after an interruption", async () => {
  const { way, client } = await connectThroughProxy()
  const socket = client()
  expect(await sendAndReceive(socket, "one")).toBe("one")
  const interruption = way.interrupt(2)
  expect(await sendAndReceive(socket, "two")).toBe("two")
  expect(interruption.end()).toBe(false)
  expect(await sendAndReceive(socket, "three")).toBe("three")
})

test("loses one request or response, and the connection", async () => {
  const { way, client, heard } = await connectThroughProxy()
  const first = way.interrupt(0)
  expect(await sendAndReceive(client(), "lost on the way there")).toBe("gone")
  expect(heard).toEqual([])
  expect(await sendAndReceive(client(), "heard")).toBe("heard")
  expect(first.end()).toBe(true)
  const second = way.interrupt(1)
  expect(await sendAndReceive(client(), "lost on the way back")).toBe("gone")
  expect(heard).toEqual(["heard", "lost on the way back"])
  expect(second.end()).toBe(true)
})

test("refuses the connection if the database is unreachable", async () => {
  const { port } = await startEchoServer()
  const connection = await createInterruptibleConnection({ port: port === 1 ? 2 : 1 })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  const socket = connect(connection.port, "127.0.0.1").on("error", () => undefined)
  expect(await sendAndReceive(socket, "anybody?")).toBe("gone")
})
