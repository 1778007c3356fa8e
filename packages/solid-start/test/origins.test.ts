import {
  getSession,
  ReactiveAuth,
  type ReactiveAuthConfig,
  type StartEvent,
} from "@latchkey/solid-start"
import { afterEach, expect, test, vi } from "vitest"
import { configOf } from "./support/config.ts"
import { eventFor } from "./support/start.ts"

afterEach(() => void vi.unstubAllEnvs())

const forwarded = { "x-forwarded-proto": "https", "x-forwarded-host": "outside.example" }

/** The event of h3 1: Node.js' own objects are properties of it. */
const version1 = (encrypted: boolean) => ({ node: { req: { socket: { encrypted } }, res: {} } })

/** The event of h3 2, where they are behind a getter. */
class Version2 {
  get node() {
    return version1(false).node
  }
}

async function originOf(config: ReactiveAuthConfig, url: string, nativeEvent?: unknown) {
  const request = new Request(url, { headers: forwarded })
  const answer = await ReactiveAuth(config).GET(eventFor(request, { nativeEvent }))
  if (!answer) throw new Error("The providers were not listed.")
  const { credentials } = await answer.json()
  return new URL(credentials.signinUrl).origin
}

const path = "/api/auth/providers"
/** Nothing is said of trust. */
const untrusting = () => {
  const { trustHost: _, ...config } = configOf()
  return config
}

test("is what SolidStart found, where nobody trusts what was forwarded", async () => {
  expect(await originOf(untrusting(), `http://inside.example${path}`)).toBe("http://inside.example")
  expect(await originOf(untrusting(), `https://inside.example${path}`)).toBe(
    "https://inside.example",
  )
  const event = new Version2()
  expect(await originOf(untrusting(), `https://inside.example${path}`, event)).toBe(
    "https://inside.example",
  )
})

test("has the scheme of the connection in SolidStart 1, which believes anybody's header", async () => {
  const url = `https://inside.example${path}`
  expect(await originOf(untrusting(), url, version1(false))).toBe("http://inside.example")
  expect(await originOf(untrusting(), url, version1(true))).toBe("https://inside.example")
})

test("is what was forwarded, where that is trusted", async () => {
  const url = `http://inside.example${path}`
  expect(await originOf(configOf({ trustHost: true }), url, version1(false))).toBe(
    "https://outside.example",
  )
  vi.stubEnv("AUTH_TRUST_HOST", "1")
  expect(await originOf(untrusting(), url)).toBe("https://outside.example")
})

test("is that of AUTH_URL before all others", async () => {
  vi.stubEnv("AUTH_URL", "https://written.example")
  const url = `http://inside.example${path}`
  expect(await originOf(configOf({ trustHost: true }), url, version1(false))).toBe(
    "https://written.example",
  )
})

test("decides for sessions, too: cookies of https are not read over http", async () => {
  const config = untrusting()
  const request = new Request("https://inside.example/", { headers: forwarded })
  const event: StartEvent = eventFor(request, { nativeEvent: version1(false) })
  expect(await getSession(event, config)).toBeNull()
})
