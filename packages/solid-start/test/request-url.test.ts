import {
  getSession,
  ReactiveAuth,
  type ReactiveAuthConfig,
  type StartEvent,
} from "@latchkey/solid-start"
import { afterEach, expect, test, vi } from "vitest"
import { createEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

afterEach(() => void vi.unstubAllEnvs())

const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "outside.example" }

/** The event of h3 1, whose properties are the objects of Node.js. */
const createH3v1Event = (encrypted: boolean) => ({
  node: { req: { socket: { encrypted } }, res: {} },
})

/** The event of h3 2, where a getter returns them. */
class H3v2Event {
  get node() {
    return createH3v1Event(false).node
  }
}

async function findLinkOrigin(config: ReactiveAuthConfig, url: string, nativeEvent?: unknown) {
  const request = new Request(url, { headers: forwarded })
  const response = await ReactiveAuth(config).GET(createEvent(request, { nativeEvent }))
  if (!response) throw new Error("The providers were not listed.")
  const { credentials } = await response.json()
  return new URL(credentials.signinUrl).origin
}

const path = "/api/auth/providers"
/** A configuration without `trustHost`. */
const createUntrustedConfig = () => {
  const { trustHost: _, ...config } = createConfig()
  return config
}

test("is that of SolidStart if forwarded headers are not trusted", async () => {
  expect(await findLinkOrigin(createUntrustedConfig(), `http://inside.example${path}`)).toBe(
    "http://inside.example",
  )
  expect(await findLinkOrigin(createUntrustedConfig(), `https://inside.example${path}`)).toBe(
    "https://inside.example",
  )
  const event = new H3v2Event()
  expect(
    await findLinkOrigin(createUntrustedConfig(), `https://inside.example${path}`, event),
  ).toBe("https://inside.example")
})

test("has the scheme of the connection in SolidStart 1, which trusts forwarded headers of anybody", async () => {
  const url = `https://inside.example${path}`
  expect(await findLinkOrigin(createUntrustedConfig(), url, createH3v1Event(false))).toBe(
    "http://inside.example",
  )
  expect(await findLinkOrigin(createUntrustedConfig(), url, createH3v1Event(true))).toBe(
    "https://inside.example",
  )
})

test("is the forwarded one if forwarded headers are trusted", async () => {
  const url = `http://inside.example${path}`
  expect(await findLinkOrigin(createConfig({ trustHost: true }), url, createH3v1Event(false))).toBe(
    "https://outside.example",
  )
  vi.stubEnv("AUTH_TRUST_HOST", "1")
  expect(await findLinkOrigin(createUntrustedConfig(), url)).toBe("https://outside.example")
})

test("is that of AUTH_URL, which overrides all others", async () => {
  vi.stubEnv("AUTH_URL", "https://written.example")
  const url = `http://inside.example${path}`
  expect(await findLinkOrigin(createConfig({ trustHost: true }), url, createH3v1Event(false))).toBe(
    "https://written.example",
  )
})

test("applies to sessions, too: cookies for https are not read over http", async () => {
  const config = createUntrustedConfig()
  const request = new Request("https://inside.example/", { headers: forwarded })
  const event: StartEvent = createEvent(request, { nativeEvent: createH3v1Event(false) })
  expect(await getSession(event, config)).toBeNull()
})
