/** `getSession` while a connection becomes a WebSocket: the request is Node's own, without the members of Express. */
import { once } from "node:events"
import { createServer, get, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { createTestBrowser } from "@latchkey/testing"
import express, { type Express } from "express"
import { afterEach, expect, onTestFinished, test, vi } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { createTlsProxy, getCookieHeader } from "./support/http.ts"

afterEach(() => void vi.unstubAllEnvs())

/** Serves an application whose upgrades answer with the name of the user, and signs in. */
async function serveUpgrades(config: MiddlewareAuthConfig, passedApp?: Express) {
  const app = passedApp ?? express().set("trust proxy", true)
  const server: Server = createServer(app.use("/auth", MiddlewareAuth(config)))
  server.on("upgrade", async (req: IncomingMessage, socket) => {
    const request = passedApp ? Object.assign(req, { app: passedApp }) : req
    const session = await getSession(request, config).catch((error: Error) => ({ user: error }))
    socket.end(`HTTP/1.1 200 OK\r\nx-user: ${session?.user?.name ?? "nobody"}\r\n\r\n`)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function upgrade(address: string, headers: Record<string, string>): Promise<unknown> {
  const outgoing = get(`${address}/socket`, {
    headers: { connection: "Upgrade", upgrade: "websocket", ...headers },
  })
  const [response] = (await once(outgoing, "response")) as [IncomingMessage]
  return response.headers["x-user"]
}

test("knows who is signed in", async () => {
  const address = await serveUpgrades(createConfig())
  const browser = createTestBrowser(fetch, { origin: address })
  await browser.signIn("credentials", alice)
  expect(await upgrade(address, { cookie: getCookieHeader(browser) })).toBe("alice")
  expect(await upgrade(address, {})).toBe("nobody")
})

test("has the origin of `AUTH_URL`, so that it finds the cookies of https", async () => {
  vi.stubEnv("AUTH_URL", "https://app.example/auth")
  const address = await serveUpgrades(createConfig())
  const browser = createTestBrowser(createTlsProxy(address), { origin: "https://app.example" })
  await browser.signIn("credentials", alice)
  expect(await upgrade(address, { cookie: getCookieHeader(browser) })).toBe("alice")
})

test("reads forwarded headers only if the application that is passed trusts the proxy", async () => {
  const config = createConfig()
  for (const trust of [true, false, undefined]) {
    const app = express().set("trust proxy", trust ?? true)
    const address = await serveUpgrades(config, trust === undefined ? undefined : app)
    const origin = "https://app.example"
    const secure = createTestBrowser(createTlsProxy(address), { origin })
    await secure.signIn("credentials", alice)
    const headers = { cookie: getCookieHeader(secure), "x-forwarded-proto": "https" }
    expect(await upgrade(address, headers)).toBe(trust === undefined ? "nobody" : "alice")
    const unusable = await upgrade(address, { "x-forwarded-host": "a b" })
    expect(unusable).toBe(trust ? "InvalidRequest" : "nobody")
  }
})
