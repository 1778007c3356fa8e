import { type AuthConfig, skipCSRFCheck } from "@latchkey/core"
import {
  assertRefused,
  createScriptedProvider,
  getRedirectError,
  getSetCookieNames,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createPasswordApp,
  createStoredPasswordApp,
  password,
  secret,
} from "../support/password-app.ts"

const credentialsPath = "/auth/callback/credentials"

describe("a GET request changes nothing", () => {
  test("on sign-in with a provider: no sign-in starts", async () => {
    const provider = await createScriptedProvider()
    const alice = createPasswordApp({ providers: [provider.asOidc()] }).openBrowser()
    const token = await alice.getCsrfToken()
    const response = await alice.open(`/auth/signin/scripted?csrfToken=${token}`)
    assertRefused(response)
    expect(getRedirectError(response)).toBe("Configuration")
    expect(provider.requests).toEqual([])
  })

  test("on sign-out: the page asks for confirmation, and the session stays", async () => {
    const app = await createStoredPasswordApp()
    const alice = await app.openSignedInBrowser()
    const token = await alice.getCsrfToken()
    const response = await alice.open(`/auth/signout?csrfToken=${token}`)
    expect(response.headers.get("content-type")).toContain("text/html")
    expect(app.countRows("Session")).toBe(1)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("on the credentials callback: `authorize` is not called", async () => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    const fields = new URLSearchParams({
      csrfToken: await alice.getCsrfToken(),
      name: "ada",
      password,
    })
    assertRefused(await alice.open(`${credentialsPath}?${fields}`))
    expect(app.authorizeCalls).toEqual([])
    expect(await alice.getSession()).toBeNull()
  })
})

describe("a body of content type", () => {
  const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
  const json = (fields: Record<string, string>) => JSON.stringify(fields)
  const kinds: [string, typeof form][] = [
    ["application/x-www-form-urlencoded", form],
    ["Application/X-WWW-Form-URLEncoded; Charset=UTF-8", form],
    ["application/json", json],
    ["APPLICATION/JSON;charset=utf-8", json],
  ]
  const unread: [string, typeof form][] = [
    ["text/plain", json],
    ["text/plain;charset=UTF-8", form],
    ["", form],
    ["*/*", json],
  ]

  test.each(kinds)("`%s` is read, and requires the token", async (type, write) => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    const csrfToken = await alice.getCsrfToken()
    const headers = { "content-type": type }
    assertRefused(await alice.post(credentialsPath, write({ name: "ada", password }), { headers }))
    expect(app.authorizeCalls).toEqual([])
    await alice.post(credentialsPath, write({ csrfToken, name: "ada", password }), { headers })
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(unread)("`%s` is refused, even with the token", async (type, write) => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    const body = write({ csrfToken: await alice.getCsrfToken(), name: "ada", password })
    const headers = { "content-type": type }
    assertRefused(await alice.post(credentialsPath, body, { headers }))
    expect(app.authorizeCalls).toEqual([])
  })

  describe("`multipart/form-data`", () => {
    async function sent(fields: Record<string, string | Blob>, type?: string) {
      const app = createPasswordApp()
      const alice = app.openBrowser()
      const body = new FormData()
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      if (fields["csrfToken"] === "its own") body.set("csrfToken", await alice.getCsrfToken())
      const cookie = [...alice.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
      const headers = { cookie, ...(type === undefined ? {} : { "content-type": type }) }
      const url = `https://app.example${credentialsPath}`
      return {
        app,
        response: await app.handle(new Request(url, { method: "POST", body, headers })),
      }
    }

    test("is read without its files", async () => {
      const fields = { csrfToken: "its own", name: "ada", password, file: new Blob(["x"]) }
      const { app, response } = await sent(fields)
      expect(getRedirectError(response)).toBeNull()
      expect(app.authorizeCalls).toEqual([expect.not.objectContaining({ file: expect.anything() })])
    })

    test("requires the token", async () => {
      const { app, response } = await sent({ name: "ada", password })
      assertRefused(response)
      expect(app.authorizeCalls).toEqual([])
    })

    test.each(["multipart/form-data", "multipart/form-data; boundary=other", "multipart/mixed"])(
      "that is invalid is refused: %s",
      async (type) => {
        const { app, response } = await sent({ csrfToken: "its own", name: "ada", password }, type)
        if (response.status !== 400) assertRefused(response)
        expect(app.authorizeCalls).toEqual([])
      },
    )

    test("of more than 64 KiB is refused", async () => {
      const app = createPasswordApp()
      const alice = app.openBrowser()
      const headers = { "content-type": "multipart/form-data; boundary=x" }
      const response = await alice.post(credentialsPath, "--x".repeat(22_000), { headers })
      expect(response.status).toBe(413)
      expect(app.authorizeCalls).toEqual([])
    })
  })
})

describe("`skipCSRFCheck`", () => {
  const forged = { name: "ada", password }

  test("leaves the check to the framework if it is the symbol", async () => {
    const alice = createPasswordApp({ skipCSRFCheck }).openBrowser()
    const response = await alice.post(credentialsPath, forged, { from: "https://evil.example" })
    expect(getRedirectError(response)).toBeNull()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("makes the token endpoint respond with 404 and delete an old token", async () => {
    const app = createPasswordApp({ skipCSRFCheck })
    const alice = app.openBrowser()
    alice.cookies.setUnchecked(alice.origin, "__Host-authjs.csrf-token=old; Path=/; Secure")
    const response = await alice.fetch("/auth/csrf")
    expect([response.status, await response.text()]).toEqual([404, ""])
    expect(alice.cookies.has("__Host-authjs.csrf-token")).toBe(false)
    expect(app.lines.join()).toContain("csrf-disabled")
    expect(await (await alice.open("/auth/signin")).text()).not.toContain("csrfToken")
  })

  // What comes out of a JSON file or a copied snippet: not of the declared type on purpose.
  const switchedBy = (value: unknown) =>
    createPasswordApp({ skipCSRFCheck: value } as unknown as Omit<AuthConfig, "raw">)

  test.each([true, "true", {}])("is not enabled by %o", async (value) => {
    const app = switchedBy(value)
    assertRefused(await app.openBrowser().post(credentialsPath, forged))
    expect(app.authorizeCalls).toEqual([])
  })

  test.each([Symbol("latchkey.skipCSRFCheck"), Symbol.for("skip-csrf-check")])(
    "is a problem of the configuration if it is %o",
    async (value) => {
      const app = switchedBy(value)
      expect((await app.openBrowser().post(credentialsPath, forged)).status).toBe(500)
      expect(app.authorizeCalls).toEqual([])
    },
  )

  test("is never enabled by a request", async () => {
    const app = createPasswordApp()
    const alice = app.openBrowser()
    const fields = { ...forged, skipCSRFCheck: "true", csrfTokenVerified: "true" }
    assertRefused(await alice.post(`${credentialsPath}?skipCSRFCheck=true`, fields))
    const headers = { "content-type": "application/json", "x-skip-csrf-check": "1" }
    const body = JSON.stringify({ ...forged, skipCSRFCheck: true })
    assertRefused(await alice.fetch(credentialsPath, { method: "POST", headers, body }))
    expect(app.authorizeCalls).toEqual([])
  })
})

describe("the token endpoint", () => {
  test("returns the token with `no-store`, and sets a `__Host-` cookie over https", async () => {
    const alice = createPasswordApp().openBrowser()
    const response = await alice.fetch("/auth/csrf")
    const { csrfToken, ...more } = (await response.json()) as { csrfToken: string }
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    expect(more).toEqual({})
    expect(response.headers.get("cache-control")).toContain("no-store")
    const [line = ""] = alice.setCookieHeaders.filter((each) => each.includes("csrf-token"))
    expect(line).toMatch(
      new RegExp(
        `^__Host-authjs\\.csrf-token=${csrfToken}%7C[0-9a-f]{64}; Path=/; HttpOnly; Secure; SameSite=Lax$`,
      ),
    )
    expect(alice.cookies.rejected).toEqual([])
  })

  test("sets a cookie without prefix over http", async () => {
    const alice = createPasswordApp().openBrowser({ origin: "http://localhost:3000" })
    await alice.getCsrfToken()
    expect(alice.cookies.get("authjs.csrf-token")).toMatchObject({ httpOnly: true, secure: false })
  })

  test("keeps a valid token, and does not set its cookie again", async () => {
    const alice = createPasswordApp().openBrowser()
    const token = await alice.getCsrfToken()
    expect(await alice.getCsrfToken()).toBe(token)
    expect(alice.setCookieHeaders).toEqual([])
  })

  test("returns a different token to every browser", async () => {
    const app = createPasswordApp()
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => app.openBrowser().getCsrfToken()),
    )
    expect(new Set(tokens).size).toBe(50)
  })

  test("does not respond to POST", async () => {
    const alice = createPasswordApp().openBrowser()
    const response = await alice.post("/auth/csrf", { csrfToken: await alice.getCsrfToken() })
    expect(response.status).toBe(405)
  })
})

describe("a method", () => {
  const methods = ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "post"]
  const paths = ["signin/scripted", "signout", "session", "callback/credentials", "csrf"]

  test.each(methods)("%s is refused without effect", async (method) => {
    const app = await createStoredPasswordApp()
    const alice = await app.openSignedInBrowser()
    const csrfToken = await alice.getCsrfToken()
    const headers = { "content-type": "application/x-www-form-urlencoded" }
    for (const path of paths) {
      const body = method === "HEAD" ? {} : { body: `csrfToken=${csrfToken}&name=bob` }
      const url = `https://app.example/auth/${path}`
      const request = new Request(url, { method, headers, ...body })
      // `Request` converts the usual methods to upper case; a server may pass them on unchanged.
      Object.defineProperty(request, "method", { value: method })
      const response = await app.handle(request)
      expect(response.status).toBe(405)
      expect(getSetCookieNames(response)).toEqual([])
    }
    expect(app.countRows("Session")).toBe(1)
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test.each(["csrf", "providers", "verify-request", "error"])(
    "POST is refused on %s",
    async (path) => {
      const alice = createPasswordApp({ secret }).openBrowser()
      const response = await alice.post(`/auth/${path}`, { csrfToken: await alice.getCsrfToken() })
      expect(response.status).toBe(405)
    },
  )
})
