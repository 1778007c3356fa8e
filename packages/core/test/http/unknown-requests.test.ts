/** Requests that name no action (protocol 1.1), and the paths that do. */
import { isAuthAction } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { createMinimalSite, sendRequest, validCredentials } from "../support/test-site.ts"

const knownActions = [
  "callback",
  "csrf",
  "error",
  "providers",
  "session",
  "signin",
  "signout",
  "verify-request",
  "webauthn-options",
]

async function expectUnknown(response: Response): Promise<void> {
  expect(response.status).toBe(400)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.text()).toBe('"Bad request."')
}

/** The paths that accept POST, which all actions accept besides GET. */
const postPaths = ["callback/scripted", "logout/scripted", "session", "signin", "signout"]
const getPaths = ["", "csrf", "error", "providers", "verify-request", "webauthn-options/passkey"]

describe("methods that an action does not support", () => {
  const methods = ["HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "QUERY"]

  async function expectNotAllowed(path: string, method: string, allow: string): Promise<void> {
    const { config, log } = createMinimalSite()
    const response = await sendRequest(config, `/auth/${path}`, { method })
    expect([path, response.status, response.headers.get("allow")]).toEqual([path, 405, allow])
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toContain("no-store")
    expect(response.headers.getSetCookie()).toEqual([])
    expect(log.errorCodes).toEqual([])
  }

  test.each(methods)("%s is not allowed, sets no cookie, and is no error", async (method) => {
    for (const path of postPaths) await expectNotAllowed(path, method, "GET, POST")
    for (const path of getPaths) await expectNotAllowed(path, method, "GET")
  })

  test("POST is not allowed for what only GET reads", async () => {
    for (const path of getPaths) await expectNotAllowed(path, "POST", "GET")
  })

  test("have no effect on who is signed in", async () => {
    const alice = createMinimalSite().openBrowser()
    await alice.signIn("credentials", validCredentials)
    const csrfToken = await alice.getCsrfToken()
    for (const method of ["PUT", "PATCH", "DELETE"]) {
      const body = new URLSearchParams({ csrfToken }).toString()
      const headers = { "content-type": "application/x-www-form-urlencoded" }
      const response = await alice.fetch("/auth/signout", { method, body, headers })
      expect(response.status).toBe(405)
    }
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
  })
})

describe("paths", () => {
  test.each([
    "/auth//",
    "/authsession",
    "/auth/Session",
    "/auth/SESSION",
    "/auth/sessions",
    "/auth/session/x",
    "/auth/session/undefined",
    "/auth/csrf/x",
    "/auth/signin/scripted/x",
    "/auth/unknown",
    "/auth/__proto__",
    "/auth/constructor",
    "/auth/se%73sion",
    "/auth%2fsession",
    "/session",
    "/",
    "/x/auth/session",
    "/Auth/session",
    "//auth/session",
    "//auth//session",
    "/auth//session",
    "/auth/session//",
    "/auth///session//",
    "/auth//callback/credentials",
    "/auth/callback//credentials",
    "/auth/callback/credentials//",
    "/auth\\..\\session",
    "/auth./session",
    `/auth/${"session/".repeat(500)}`,
    `/auth/session${"/".repeat(3000)}`,
    `/auth/session?${"a".repeat(20_000)}`,
  ])("%s is not an action", async (path) => {
    const { config } = createMinimalSite()
    await expectUnknown(await sendRequest(config, `https://app.example${path}`))
  })

  test.each([
    "/auth/session",
    "/auth/session/",
    "/auth/./session",
    "/auth/x/../session",
    "/auth/session?x=1",
    "/auth/session#x",
  ])("%s is the session action", async (path) => {
    const response = await sendRequest(createMinimalSite().config, `https://app.example${path}`)
    expect([response.status, await response.text()]).toEqual([200, "null"])
  })

  test("the id of a provider is case-sensitive and literal", async () => {
    const { config } = createMinimalSite()
    for (const name of ["Credentials", "credential%73", "credentials%2f", "__proto__", "%"]) {
      const response = await sendRequest(config, `/auth/signin/${name}`, { method: "POST" })
      expect(response.headers.get("location")).toMatch("/auth/error?error=Configuration")
    }
  })
})

describe("a browser that opens a path without an action", () => {
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

  test("sees a small page in production, and the log has one line", async () => {
    const { config, log } = createMinimalSite({ development: false })
    const response = await sendRequest(config, "/auth/unknown", { headers })
    expect([response.status, response.headers.get("content-type")]).toEqual([
      404,
      "text/html; charset=utf-8",
    ])
    const page = await response.text()
    expect(page).toContain("<h1>Page not found</h1>")
    expect(page).not.toContain("UnknownAction")
    expect(log.lines.filter(([level]) => level !== "debug")).toHaveLength(1)
  })

  test("sees in development where the library is mounted, and where it should be", async () => {
    const { config, log } = createMinimalSite({ development: true, basePath: "/auth/signin" })
    const page = await (await sendRequest(config, "/auth/signin?x=<b>", { headers })).text()
    expect(page).toContain("UnknownAction")
    expect(page).toContain(
      "mount the library at <code>/auth</code>, not at <code>/auth/signin</code>",
    )
    expect(page).not.toContain("<b>")
    expect(log.errorCodes).toEqual(["UnknownAction"])
  })

  test("gets JSON if it sends a form or does not ask for a page", async () => {
    const { config } = createMinimalSite()
    await expectUnknown(await sendRequest(config, "/auth/unknown", { method: "POST", headers }))
    await expectUnknown(await sendRequest(config, "/auth/unknown", { headers: { accept: "*/*" } }))
  })
})

describe("bodies", () => {
  const json = { "content-type": "application/json" }

  test.each(["{", '{"a":', "[]", "null", "1", '"text"', "", "\u0000"])(
    "JSON that is not an object is a bad request: %j",
    async (body) => {
      const { config } = createMinimalSite()
      const response = await sendRequest(config, "/auth/signout", {
        method: "POST",
        headers: json,
        body,
      })
      await expectUnknown(response)
    },
  )

  test.each([
    ["text", "text/plain"],
    ["a multipart body that is not a form", "multipart/mixed; boundary=x"],
    ["an unknown type", "application/octet-stream"],
  ])("%s is treated as no body, and so without a token", async (_, type) => {
    const alice = createMinimalSite().openBrowser()
    const csrfToken = await alice.getCsrfToken()
    const body = new URLSearchParams({ csrfToken }).toString()
    const response = await alice.fetch("/auth/signout", {
      method: "POST",
      headers: { "content-type": type },
      body,
    })
    expect(response.headers.get("location")).toMatch("error=MissingCSRF")
  })

  test.each(["application/json; charset=utf-8", "APPLICATION/JSON", "application/json"])(
    "JSON is recognised by its type, whatever its case and parameters: %s",
    async (type) => {
      const alice = createMinimalSite().openBrowser()
      const body = JSON.stringify({ csrfToken: await alice.getCsrfToken(), ...validCredentials })
      const headers = { "content-type": type }
      await alice.fetch("/auth/callback/credentials", { method: "POST", headers, body })
      expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    },
  )
})

describe("isAuthAction", () => {
  test.each(knownActions)("is true for %s", (action) => expect(isAuthAction(action)).toBe(true))

  test.each(["", "Session", "session ", "signin/x", "__proto__", "toString", "undefined"])(
    "is false for %j",
    (text) => expect(isAuthAction(text)).toBe(false),
  )
})
