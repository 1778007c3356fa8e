/** What most requests ask needs no web objects, which cost more than the look-up of a session. */
import { get, type IncomingMessage } from "node:http"
import { connect } from "node:net"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { browser, scriptedProvider } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, configOf } from "./support/config.ts"
import { majors } from "./support/express.ts"
import { cookiesOf, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllGlobals())

/** Notes which web objects are made from now on. */
function watch(): string[] {
  const made: string[] = []
  for (const name of ["AbortController", "Headers", "Request", "Response"] as const) {
    const known = globalThis[name]
    const noted = new Proxy(known, {
      construct(target, parameters, self) {
        made.push(name)
        return Reflect.construct(target, parameters, self)
      },
    })
    vi.stubGlobal(name, noted)
  }
  return made
}

async function statusOf(url: string, cookie: string): Promise<number | undefined> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers: { cookie } }, resolve).once("error", reject)
  })
  await answer.toArray()
  return answer.statusCode
}

/** An answer to a request as it is written on the wire. */
async function exchanged(origin: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.end([...lines, `Host: ${hostname}`, "Connection: close", "", ""].join("\r\n"))
  return Buffer.concat(await socket.toArray()).toString()
}

describe.each(majors)("Express $major", ({ express }) => {
  async function application(config: MiddlewareAuthConfig) {
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.get("/me", (req, res, next) => {
      getSession(req, config).then((session) => res.json(session), next)
    })
    return browser(await serve(app))
  }

  test.each(["/auth/session", "/auth/csrf", "/auth/providers", "/auth/signin", "/me"])(
    "makes none for %s",
    async (path) => {
      const person = await application(configOf())
      await person.signIn("credentials", alice)
      const made = watch()
      expect(await statusOf(person.origin + path, cookiesOf(person))).toBe(200)
      expect(made).toEqual([])
    },
  )

  test.each(["/auth/session", "/me"])(
    "makes none for %s of a session in a database",
    async (path) => {
      const provider = await scriptedProvider()
      const sqlite = openSqlite(":memory:")
      await migrate(sqlite)
      const adapter = SqlAdapter(sqlite)
      const person = await application(configOf({ providers: [provider.asOidc()], adapter }))
      await person.signIn(provider)
      const made = watch()
      expect(await statusOf(person.origin + path, cookiesOf(person))).toBe(200)
      expect(made).toEqual([])
    },
  )

  test("reads cookies that came in several headers, in whatever letter case", async () => {
    const person = await application(configOf())
    await person.signIn("credentials", alice)
    const lines = cookiesOf(person)
      .split("; ")
      .map((pair, at) => `${at % 2 === 0 ? "COOKIE" : "cookie"}: ${pair}`)
    expect(lines.length).toBeGreaterThan(1)
    const answer = await exchanged(person.origin, ["GET /auth/session HTTP/1.1", ...lines])
    expect(answer).toContain('"email":"alice@example.com"')
  })

  test("tells a client where to go that asks for it in any letter case", async () => {
    const config = configOf({ pages: { signIn: "https://sso.example/enter" } })
    const { origin } = await application(config)
    const ask = ["GET /auth/signin HTTP/1.1"]
    expect(await exchanged(origin, ask)).toMatch(/^HTTP\/1\.1 302 /)
    const told = await exchanged(origin, [...ask, "X-AUTH-Return-Redirect: 1"])
    expect(told).toMatch(/^HTTP\/1\.1 200 /)
    expect(told).toContain('{"url":"https://sso.example/enter')
  })

  test("an answer that no header can carry is a fault, and said to the log", async () => {
    const error = vi.fn()
    // What JavaScript lets an application write.
    const sameSite = "lax\u{1f511}" as "lax"
    const cookies = { callbackUrl: { options: { sameSite } } }
    const { origin } = await application(configOf({ cookies, logger: { error } }))
    const answer = await exchanged(origin, ["GET /auth/session HTTP/1.1"])
    expect(answer).toMatch(/^HTTP\/1\.1 500 /)
    expect(answer).toContain('{"message":"The server could not answer."}')
    expect(error.mock.calls).toEqual([
      ["TypeError", expect.stringContaining("no header can carry"), expect.anything()],
    ])
  })
})
