/** Most requests need no web objects, which take longer to create than a session takes to read. */
import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { getSession, MiddlewareAuth, type MiddlewareAuthConfig } from "@latchkey/express"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { alice, createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { getCookieHeader, serve } from "./support/http.ts"

afterEach(() => void vi.unstubAllGlobals())

/** Records which web objects are created from now on. */
function recordConstructions(): string[] {
  const constructed: string[] = []
  for (const name of ["AbortController", "Headers", "Request", "Response"] as const) {
    const original = globalThis[name]
    const proxied = new Proxy(original, {
      construct(target, parameters, self) {
        constructed.push(name)
        return Reflect.construct(target, parameters, self)
      },
    })
    vi.stubGlobal(name, proxied)
  }
  return constructed
}

/** Sends a form, or a GET request without one. */
async function getStatus(
  url: string,
  cookie: string,
  form?: Record<string, string>,
): Promise<number | undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { cookie, "content-type": "application/x-www-form-urlencoded" }
    const outgoing = request(url, { method: form ? "POST" : "GET", headers }, resolve)
    outgoing.once("error", reject).end(form && new URLSearchParams(form).toString())
  })
  await response.toArray()
  return response.statusCode
}

/** Returns a raw response. */
async function sendRaw(origin: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write([...lines, `Host: ${hostname}`, "Connection: close", "", ""].join("\r\n"))
  return Buffer.concat(await socket.toArray()).toString()
}

describe.each(expressVersions)("Express $major", ({ express }) => {
  async function createApplication(config: MiddlewareAuthConfig) {
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.get("/me", (req, res, next) => {
      getSession(req, config).then((session) => res.json(session), next)
    })
    return createTestBrowser(await serve(app))
  }

  test.each(["/auth/session", "/auth/csrf", "/auth/providers", "/auth/signin", "/me"])(
    "creates none for %s",
    async (path) => {
      const user = await createApplication(createConfig())
      await user.signIn("credentials", alice)
      const constructed = recordConstructions()
      expect(await getStatus(user.origin + path, getCookieHeader(user))).toBe(200)
      expect(constructed).toEqual([])
    },
  )

  test.each(["/auth/session", "/me"])(
    "creates none for %s with a database session",
    async (path) => {
      const provider = await createScriptedProvider()
      const sqlite = openSqlite(":memory:")
      await migrate(sqlite)
      const adapter = SqlAdapter(sqlite)
      const user = await createApplication(
        createConfig({ providers: [provider.asOidc()], adapter }),
      )
      await user.signIn(provider)
      const constructed = recordConstructions()
      expect(await getStatus(user.origin + path, getCookieHeader(user))).toBe(200)
      expect(constructed).toEqual([])
    },
  )

  test("creates none for forms, except for the request that `authorize` receives", async () => {
    const provider = await createScriptedProvider()
    const { providers } = createConfig()
    const user = await createApplication(
      createConfig({ providers: [...providers, provider.asOidc()] }),
    )
    await user.startSignIn(provider) // fetches the metadata of the provider
    const csrfToken = await user.getCsrfToken()
    const cookie = getCookieHeader(user)
    const constructed = recordConstructions()
    const submit = (path: string, fields: Record<string, string>) =>
      getStatus(user.origin + path, cookie, { csrfToken, ...fields })
    expect(await submit(`/auth/signin/${provider.id}`, {})).toBe(302)
    expect(await submit("/auth/signout", {})).toBe(302)
    expect(constructed).toEqual([])
    expect(await submit("/auth/callback/credentials", alice)).toBe(302)
    expect(constructed.filter((name) => name.startsWith("Re"))).toEqual(["Request"])
  })

  test("reads cookies from several headers, in any letter case", async () => {
    const user = await createApplication(createConfig())
    await user.signIn("credentials", alice)
    const lines = getCookieHeader(user)
      .split("; ")
      .map((pair, index) => `${index % 2 === 0 ? "COOKIE" : "cookie"}: ${pair}`)
    expect(lines.length).toBeGreaterThan(1)
    const response = await sendRaw(user.origin, ["GET /auth/session HTTP/1.1", ...lines])
    expect(response).toContain('"email":"alice@example.com"')
  })

  test("returns the redirect URL as JSON if a header in any letter case requests it", async () => {
    const config = createConfig({ pages: { signIn: "https://sso.example/enter" } })
    const { origin } = await createApplication(config)
    const requestLines = ["GET /auth/signin HTTP/1.1"]
    expect(await sendRaw(origin, requestLines)).toMatch(/^HTTP\/1\.1 302 /)
    const jsonResponse = await sendRaw(origin, [...requestLines, "X-AUTH-Return-Redirect: 1"])
    expect(jsonResponse).toMatch(/^HTTP\/1\.1 200 /)
    expect(jsonResponse).toContain('{"url":"https://sso.example/enter')
  })

  test("a response with invalid header values is an error, which is logged", async () => {
    const error = vi.fn()
    const cookies = { callbackUrl: { options: { encode: (text: string) => text && "\u{1f511}" } } }
    const { origin } = await createApplication(createConfig({ cookies, logger: { error } }))
    const response = await sendRaw(origin, ["GET /auth/csrf HTTP/1.1"])
    expect(response).toMatch(/^HTTP\/1\.1 500 /)
    expect(response).toContain('{"message":"The server could not answer."}')
    expect(error.mock.calls).toEqual([
      ["TypeError", expect.stringContaining("is not encoded"), expect.anything()],
    ])
  })
})
