/** The application of docs/websockets.md. */
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { WebSocket } from "ws"
import { stubEnvironment } from "./support/guide.ts"

afterEach(() => void vi.useRealTimers())

async function serve() {
  stubEnvironment()
  const { server } = await import("../websockets/app.ts")
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Opens a WebSocket as a page of `origin` does. Returns it, or the status with which the server refused it. */
async function open(address: string, browser: TestBrowser, origin = address) {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const webSocket = new WebSocket(`${address}/chat`, { origin, headers: { cookie } })
  onTestFinished(() => webSocket.terminate())
  return new Promise<WebSocket | number | undefined>((resolve) => {
    webSocket.on("open", () => resolve(webSocket))
    webSocket.on("unexpected-response", (_req, res) => resolve(res.statusCode))
    webSocket.on("error", () => undefined)
  })
}

test("a WebSocket knows who opened it, and ends with the session", async () => {
  const address = await serve()
  const ada = createTestBrowser(address)
  expect(await open(address, ada)).toBe(401)
  await ada.signIn("credentials", { username: "ada", password: "correct horse" })
  expect(await open(address, ada, "https://evil.example")).toBe(403)
  expect(await open(address, ada, "null")).toBe(403)

  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
  const webSocket = await open(address, ada)
  if (!(webSocket instanceof WebSocket)) throw new Error(`The server refused: ${webSocket}`)
  webSocket.send("hello")
  const [message] = await once(webSocket, "message")
  expect(String(message)).toBe("Ada: hello")

  vi.advanceTimersByTime(60_000)
  webSocket.send("still here")
  expect(String((await once(webSocket, "message"))[0])).toBe("Ada: still here")
  await ada.signOut()
  vi.advanceTimersByTime(60_000)
  const [code] = await once(webSocket, "close")
  expect(code).toBe(4401)
})
