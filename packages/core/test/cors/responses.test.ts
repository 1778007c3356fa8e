/** The CORS headers of responses, and responses to preflight requests (Fetch standard, section 3.3). */
import { Auth } from "@latchkey/core"
import { describe, expect, test, vi } from "vitest"
import { createPasswordApp, type PasswordAppConfig, password } from "../support/password-app.ts"

const from = "https://front.example"
const trustedOrigins = [from]
const scriptHeaders = {
  "content-type": "application/x-www-form-urlencoded",
  "x-auth-return-redirect": "1",
}
const allowHeaders = {
  "access-control-allow-origin": from,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Location, Retry-After",
  vary: "Origin",
}

const readCorsHeaders = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => /^access-control-|^vary$/.test(name)))

function createApp(changes: Partial<PasswordAppConfig> = {}) {
  return createPasswordApp({ trustedOrigins, ...changes })
}

/** Sends what the browser client sends from a page of the front end. */
function submit(path: string, fields: Record<string, string>, app = createApp()) {
  const browser = app.openBrowser()
  return browser.getCsrfToken().then((csrfToken) =>
    browser.fetch(`/auth/${path}`, {
      from: "https://app.example",
      method: "POST",
      headers: { ...scriptHeaders, origin: from, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams({ csrfToken, ...fields }).toString(),
    }),
  )
}

describe("a response to a script of a trusted origin", () => {
  test.each(["session", "csrf", "providers"])("can be read: %s", async (path) => {
    const response = await createApp().openBrowser().fetch(`/auth/${path}`, { from })
    expect(readCorsHeaders(response)).toEqual(allowHeaders)
  })

  test.each([
    ["a sign-in", { name: "ada", password }, 200, "/"],
    ["a wrong password", { name: "ada", password: "wrong" }, 200, "/auth/signin"],
  ])("can be read after %s", async (_, fields, status, pathname) => {
    const response = await submit("callback/credentials", fields)
    expect(response.status).toBe(status)
    expect(readCorsHeaders(response)).toEqual(allowHeaders)
    expect(new URL((await response.json()).url).pathname).toBe(pathname)
  })

  test("can be read after too many attempts, and says when to try again", async () => {
    const app = createApp({ rateLimit: () => false })
    const response = await submit("callback/credentials", { name: "ada", password }, app)
    expect(response.status).toBe(429)
    expect(readCorsHeaders(response)).toEqual(allowHeaders)
  })

  test.each<[string, number, Partial<PasswordAppConfig>, string]>([
    ["an unknown action", 400, {}, "nothing"],
    ["a broken configuration", 500, { secret: "" }, "session"],
    ["a foreign host", 400, { trustHost: ["other.example"] }, "session"],
  ])("can be read after an error: %s", async (_, status, changes, path) => {
    const response = await createApp(changes).openBrowser().fetch(`/auth/${path}`, { from })
    expect(response.status).toBe(status)
    expect(readCorsHeaders(response)).toEqual(allowHeaders)
  })

  test("cannot be read if it is a page or a redirect", async () => {
    const browser = createApp().openBrowser()
    for (const path of ["signin", "error", "verify-request"]) {
      const response = await browser.fetch(`/auth/${path}`, { from })
      expect(response.headers.get("content-type")).toContain("text/html")
      expect(readCorsHeaders(response)).toEqual({ vary: "Origin" })
    }
    const redirect = await browser.fetch("/auth/callback/unknown", { from })
    expect(redirect.status).toBe(302)
    expect(readCorsHeaders(redirect)).toEqual({ vary: "Origin" })
  })
})

describe("a preflight request", () => {
  const preflight = (config: PasswordAppConfig, origin = from) => {
    const headers = { origin, "access-control-request-method": "POST" }
    const url = "https://app.example/auth/callback/credentials"
    return Auth(new Request(url, { method: "OPTIONS", headers }), config)
  }

  test("of a trusted origin is answered without calling the application", async () => {
    const [authorize, redirect] = [vi.fn(), vi.fn()]
    const app = createApp({ callbacks: { redirect }, rateLimit: authorize })
    const response = await preflight(app.config)
    expect([response.status, await response.text()]).toEqual([204, ""])
    expect(readCorsHeaders(response)).toEqual({
      ...allowHeaders,
      "access-control-allow-methods": "GET, POST",
      "access-control-allow-headers": "Content-Type, X-Auth-Return-Redirect",
      "access-control-max-age": "7200",
    })
    expect(response.headers.getSetCookie()).toEqual([])
    expect([authorize, redirect].flatMap(({ mock }) => mock.calls)).toEqual([])
    expect([...app.lines, ...app.authorizeCalls]).toEqual([])
  })

  test("of another origin is refused", async () => {
    const response = await preflight(createApp().config, "https://evil.example")
    expect(response.status).toBe(405)
    expect(readCorsHeaders(response)).toEqual({ vary: "Origin" })
  })
})

test("without an `Origin`, responses still depend on it", async () => {
  const browser = createApp().openBrowser()
  for (const path of ["session", "providers", "signin"]) {
    const response = await browser.open(`/auth/${path}`)
    expect(readCorsHeaders(response)).toEqual({ vary: "Origin" })
  }
})

test.each([{}, { trustedOrigins: [] }])("with %j, there are no CORS headers", async (changes) => {
  const browser = createPasswordApp(changes).openBrowser()
  for (const method of ["GET", "OPTIONS"]) {
    for (const path of ["session", "csrf", "providers", "signin"]) {
      const response = await browser.fetch(`/auth/${path}`, { from, method })
      expect(response.status).toBe(method === "GET" ? 200 : 405)
      expect(readCorsHeaders(response)).toEqual({})
    }
  }
})
