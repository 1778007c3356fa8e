/** `trustedOrigins`: which entries are accepted, and which origins they trust. */

import { findConfigProblems } from "@latchkey/cli/config-problems"
import { Auth, type AuthConfig } from "@latchkey/core"
import { createAuthResolver } from "@latchkey/core/integration"
import { assertRefused, createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createPasswordApp, password } from "../support/password-app.ts"

const appOrigin = "https://app.example"
const trustedOrigins = [
  "https://front.example",
  "https://*.tenant.example",
  "https://*.ports.example:8443",
  "http://localhost:5173",
]

/** Sends a request as a script of a page of this origin does, with the cookies of the browser. */
function sendFrom(
  browser: TestBrowser,
  origin: string,
  path: string,
  { method = "GET", fields }: { method?: string; fields?: Record<string, string> } = {},
): Promise<Response> {
  const cookie = [...browser.cookies].map(({ name, value }) => `${name}=${value}`).join("; ")
  const headers = { origin, cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }
  const body = fields ? { body: new URLSearchParams(fields) } : {}
  return browser.app(new Request(`${appOrigin}/auth/${path}`, { method, headers, ...body }))
}

const corsHeaders = (response: Response) =>
  [...response.headers.keys()].filter((name) => name.startsWith("access-control-"))

async function createSite(changes: Partial<AuthConfig> = { trustedOrigins }) {
  const provider = await createScriptedProvider()
  const { config } = createPasswordApp()
  const providers = [...config.providers, provider.asOidc()]
  const app = createPasswordApp({ providers, ...changes })
  const alice = await app.openSignedInBrowser("ada")
  return { app, alice, csrfToken: await alice.getCsrfToken() }
}

const forms: Record<string, { path: string; fields: Record<string, string> }> = {
  "sign-in": { path: "signin/scripted", fields: {} },
  "sign-out": { path: "signout", fields: {} },
  "session update": { path: "session", fields: { data: "new" } },
  credentials: { path: "callback/credentials", fields: { name: "bob", password } },
}

describe("a page of a trusted origin", () => {
  test.each([
    "https://front.example",
    "https://a.tenant.example",
    "https://a.b.tenant.example",
    "https://a.ports.example:8443",
    "http://localhost:5173",
  ])("reads the session and sends forms with the token: %s", async (origin) => {
    const { alice, csrfToken } = await createSite()
    const response = await sendFrom(alice, origin, "session")
    expect(response.headers.get("access-control-allow-origin")).toBe(origin)
    expect(response.headers.get("access-control-allow-credentials")).toBe("true")
    expect(await response.json()).toMatchObject({ user: { name: "ada" } })
    for (const { path, fields } of Object.values(forms)) {
      const form = { method: "POST", fields: { ...fields, csrfToken } }
      const reply = await sendFrom(alice, origin, path, form)
      expect(() => assertRefused(reply), path).toThrow()
    }
  })

  test.each(Object.entries(forms))("needs the token for a %s form", async (_, form) => {
    const { alice } = await createSite()
    for (const csrfToken of ["", "0".repeat(64)]) {
      const fields = { ...form.fields, csrfToken }
      const sent = { method: "POST", fields }
      assertRefused(await sendFrom(alice, "https://front.example", form.path, sent))
    }
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("where a same-origin form needs no token", () => {
  const { config } = createPasswordApp({ trustedOrigins })
  const resolveAuth = createAuthResolver({ basePath: "/auth", trustSameOrigin: true })
  const { engine } = resolveAuth(config, {})
  const signIn = (headers: Record<string, string>) =>
    engine.handle(
      new Request(`${appOrigin}/auth/callback/credentials`, {
        method: "POST",
        headers,
        body: new URLSearchParams({ name: "ada", password }),
      }),
    )

  test.each([
    { origin: "https://front.example" },
    { origin: "https://front.example", "sec-fetch-site": "cross-site" },
    { origin: "https://a.tenant.example", "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ])("that of a trusted origin, or of no page, needs it: %j", async (headers) => {
    assertRefused(await signIn(headers))
  })

  test.each([
    { origin: appOrigin },
    // Behind a proxy, the application may not know its own origin.
    { origin: "https://public.example", "sec-fetch-site": "same-origin" },
  ])("a page of the same origin signs in: %j", async (headers) => {
    const reply = await signIn(headers)
    expect(() => assertRefused(reply)).toThrow()
  })
})

describe("an origin that is not trusted", () => {
  test.each([
    "null",
    "",
    "*",
    "https://evil.example",
    "https://evilfront.example",
    "https://front.example.evil.example",
    "https://www.front.example",
    "http://front.example",
    "https://front.example:8443",
    "https://front.example.",
    "https://FRONT.example",
    "HTTPS://front.example",
    "https://front.example/",
    "https://front.example@evil.example",
    "https://evil@front.example",
    "https://front.example, https://evil.example",
    "https://front.example https://evil.example",
    "https://tenant.example",
    "https://eviltenant.example",
    "https://a.tenant.example.evil.example",
    "https://evil.example/.tenant.example",
    "https://evil.example#.tenant.example",
    "https://evil.example?.tenant.example",
    "https://evil.example\\.tenant.example",
    "https://evil.example:443.tenant.example",
    "http://a.tenant.example",
    "https://a.tenant.example:8443",
    "https://a.tenant.example.",
    "https://a.tenant.EXAMPLE",
    "https://a.xn--tennt-3ve.example",
    "https://a.ports.example",
    "https://a.ports.example:84433",
    "http://localhost",
    "http://localhost:5174",
    "http://127.0.0.1:5173",
    "https://localhost:5173",
    "file://",
    "chrome-extension://front.example",
  ])("%j reads nothing and changes nothing", async (origin) => {
    const { alice, csrfToken } = await createSite()
    for (const path of ["session", "csrf", "providers", "webauthn-options/x", "signout"]) {
      for (const method of ["GET", "OPTIONS"]) {
        const response = await sendFrom(alice, origin, path, { method })
        expect([response.headers.get("vary"), ...corsHeaders(response)]).toEqual(["Origin"])
      }
    }
    for (const { path, fields } of Object.values(forms)) {
      const form = { method: "POST", fields: { ...fields, csrfToken } }
      const response = await sendFrom(alice, origin, path, form)
      assertRefused(response)
      expect(corsHeaders(response)).toEqual([])
    }
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })
})

describe("an entry of `trustedOrigins`", () => {
  const isAccepted = async (entry: unknown) => {
    const { config } = createPasswordApp({ trustedOrigins: [entry as string] })
    const headers = { origin: String(entry) }
    const response = await Auth(new Request(`${appOrigin}/auth/csrf`, { headers }), config)
    expect([200, 500]).toContain(response.status)
    return response.status === 200
  }

  test.each([
    "https://front.example",
    "https://front.example:8443",
    "https://*.tenant.example",
    "https://intranet",
    "https://xn--mnchen-3ya.example",
    "http://localhost:5173",
    "http://*.localhost:5173",
    "http://127.0.0.1:5173",
    "http://[::1]:5173",
  ])("may be %s", async (entry) => {
    expect(await isAccepted(entry)).toBe(true)
  })

  test.each([
    "*",
    "",
    "null",
    "https://*",
    "https://*.com",
    "https://*.com:8443",
    "https://*.com.",
    "https://*.",
    "https://*.*.example.com",
    "https://a.*.example.com",
    "https://*tenant.example",
    "https://front.example/",
    "https://front.example/path",
    "https://front.example?",
    "https://front.example:443",
    "http://front.example:80",
    "https://FRONT.example",
    "https://münchen.example",
    "https://user@front.example",
    "front.example",
    "*.front.example",
    "//front.example",
    "ftp://front.example",
    "capacitor://localhost",
    "https://front.example,https://evil.example",
    undefined,
    /front/,
    true,
  ])("may not be %s", async (entry) => {
    expect(await isAccepted(entry)).toBe(false)
  })
})

describe("an http origin", () => {
  const warn = async (trustedOrigins: string[], development: boolean) => {
    const { config } = createPasswordApp({ trustedOrigins, development })
    const problems = await findConfigProblems(config)
    return problems.map(({ type, option }) => [type, option])
  }

  test("causes a warning outside of development, and there if it is on another machine", async () => {
    const warning = ["insecure-origin", "trustedOrigins"]
    expect(await warn(["https://a.example", "http://localhost:5173"], false)).toEqual([warning])
    expect(await warn(["http://192.168.0.7:5173"], true)).toEqual([warning])
    expect(await warn(["http://localhost:5173", "http://*.localhost:1"], true)).toEqual([])
    expect(await warn(["https://a.example"], false)).toEqual([])
  })
})
