import type { JWT } from "@latchkey/core/types"
import { assertRefused, createScriptedProvider, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createPasswordApp, type PasswordApp, password } from "../support/password-app.ts"

const csrfCookieName = "__Host-authjs.csrf-token"
const zeroToken = "0".repeat(64)

/** Every form that changes something, with the fields it works with. */
const formEndpoints: Record<string, { path: string; fields: Record<string, string> }> = {
  "sign-in": { path: "signin/scripted", fields: {} },
  "sign-in without a provider": { path: "signin", fields: {} },
  "sign-out": { path: "signout", fields: {} },
  "session update": { path: "session", fields: { data: "new" } },
  credentials: { path: "callback/credentials", fields: { name: "bob", password } },
}

type ForgedForm = { query?: string; form?: Record<string, string>; json?: Record<string, unknown> }

/** Every way to fail to prove that the form is the site's own. */
const forgeries: Record<string, (browser: TestBrowser, token: string) => ForgedForm> = {
  "no token": () => ({ form: {} }),
  "an empty token": () => ({ form: { csrfToken: "" } }),
  "a wrong token": () => ({ form: { csrfToken: zeroToken } }),
  "a token in upper case": (_, token) => ({ form: { csrfToken: token.toUpperCase() } }),
  "a token that is longer": (_, token) => ({ form: { csrfToken: `${token}0` } }),
  "the whole cookie as the token": (browser) => ({
    form: { csrfToken: decodeURIComponent(browser.cookies.get(csrfCookieName)?.value ?? "") },
  }),
  "the token in the query": (_, token) => ({ query: `?csrfToken=${token}`, form: {} }),
  "the token in an array": (_, token) => ({ json: { csrfToken: [token] } }),
  "the token in an object": (_, token) => ({ json: { csrfToken: { token } } }),
  "true as the token": () => ({ json: { csrfToken: true } }),
  "a number as the token": () => ({ json: { csrfToken: 0 } }),
  "null as the token": () => ({ json: { csrfToken: null } }),
  "the token under `__proto__`": (_, token) => ({
    json: JSON.parse(`{"__proto__":{"csrfToken":"${token}"}}`),
  }),
  "a missing cookie": (browser, token) => {
    browser.cookies.delete(csrfCookieName)
    return { form: { csrfToken: token } }
  },
  "an empty cookie": (browser) => plantPair(browser, "", ""),
  "a cookie of two empty halves": (browser) => plantPair(browser, "|", ""),
  "a cookie without a hash": (browser) => plantPair(browser, zeroToken, zeroToken),
  "a cookie with an empty hash": (browser) => plantPair(browser, `${zeroToken}|`, zeroToken),
  "a cookie whose hash is its token": (browser) =>
    plantPair(browser, `${zeroToken}|${zeroToken}`, zeroToken),
  "a cookie with a third part": (browser, token) => {
    const pair = decodeURIComponent(browser.cookies.get(csrfCookieName)?.value ?? "")
    return plantPair(browser, `${pair}|${zeroToken}`, token)
  },
}

function plantPair(browser: TestBrowser, pair: string, csrfToken: string): ForgedForm {
  browser.cookies.delete(csrfCookieName)
  browser.cookies.setUnchecked(
    browser.origin,
    `${csrfCookieName}=${encodeURIComponent(pair)}; Path=/; Secure`,
  )
  return { form: { csrfToken } }
}

async function createSignedInApp() {
  const provider = await createScriptedProvider()
  const jwt = vi.fn(({ token }: { token: JWT }) => token)
  const base = createPasswordApp()
  const providers = [...base.config.providers, provider.asOidc()]
  const app: PasswordApp = createPasswordApp({ providers, callbacks: { jwt } })
  const alice = await app.openSignedInBrowser()
  jwt.mockClear()
  base.authorizeCalls.length = 0
  return { provider, jwt, attempts: base.authorizeCalls, alice, token: await alice.getCsrfToken() }
}

function sendForm(
  browser: TestBrowser,
  path: string,
  { query = "", form, json }: ForgedForm,
): Promise<Response> {
  const target = browser.getRoutePath(path + query)
  if (form) return browser.post(target, form)
  const headers = { "content-type": "application/json" }
  return browser.fetch(target, { method: "POST", headers, body: JSON.stringify(json) })
}

describe.each(Object.entries(formEndpoints))("a %s form", (_, { path, fields }) => {
  test.each(Object.entries(forgeries))("is refused with %s", async (_name, forgery) => {
    const { provider, jwt, attempts, alice, token } = await createSignedInApp()
    const sent = forgery(alice, token)
    const response = await sendForm(alice, path, {
      ...sent,
      ...(sent.form ? { form: { ...fields, ...sent.form } } : {}),
      ...(sent.json ? { json: { ...fields, ...sent.json } } : {}),
    })
    assertRefused(response)
    expect(attempts).toEqual([])
    expect(provider.requests).toEqual([])
    expect(jwt).not.toHaveBeenCalled()
    expect(await alice.getSession()).toMatchObject({ user: { name: "ada" } })
  })

  test("is accepted with the token of this browser", async () => {
    const { alice, token } = await createSignedInApp()
    const response = await sendForm(alice, path, { form: { ...fields, csrfToken: token } })
    expect(() => assertRefused(response)).toThrow()
  })
})

test("the refusal is 400 and null for scripts, and the sign-in page for browsers", async () => {
  const { alice } = await createSignedInApp()
  const update = await alice.fetch(alice.getRoutePath("session"), { method: "POST" })
  expect([update.status, await update.json()]).toEqual([400, null])
  for (const path of ["signin/scripted", "signout", "callback/credentials"]) {
    const response = await alice.post(alice.getRoutePath(path), {})
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/signin?error=MissingCSRF",
    )
  }
})
