/** `X-Auth-Return-Redirect`: a script wants to know where to go instead of being sent there (protocol 1.4). */
import { getSetCookieNames } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

const returnRedirectHeader = "x-auth-return-redirect"

/** The same form, as a browser sends it and as a script does. */
async function submitBothWays(route: string, fields: Record<string, string>, value = "1") {
  const { openBrowser } = await createTestSite()
  const alice = openBrowser()
  const bob = openBrowser()
  const plain = await alice.post(`/auth/${route}`, {
    csrfToken: await alice.getCsrfToken(),
    ...fields,
  })
  const body = new URLSearchParams({ csrfToken: await bob.getCsrfToken(), ...fields }).toString()
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    [returnRedirectHeader]: value,
  }
  const scripted = await bob.fetch(`/auth/${route}`, { method: "POST", body, headers })
  const { url }: { url: string } = await scripted.json()
  return { plain, scripted, url, who: bob }
}

/** Removes the random parameters of a URL. */
function removeRandomParams(url: string | null): string {
  const parsed = new URL(url ?? "")
  for (const name of ["state", "code_challenge", "nonce"]) parsed.searchParams.delete(name)
  return parsed.href
}

describe("with X-Auth-Return-Redirect, a redirect", () => {
  const steps: [string, string, Record<string, string>][] = [
    [
      "sign-in with credentials",
      "callback/credentials",
      { ...validCredentials, callbackUrl: "/inbox" },
    ],
    ["sign-in with a provider", "signin/scripted", {}],
    ["a link by e-mail", "signin/email", { email: "ada@example.com" }],
    ["sign-in without a provider", "signin", {}],
    ["sign-out", "signout", { callbackUrl: "/bye" }],
  ]

  test.each(steps)(
    "%s: becomes 200 with the URL in JSON, with the same cookies",
    async (_, route, fields) => {
      const { plain, scripted, url } = await submitBothWays(route, fields)
      expect([plain.status, scripted.status]).toEqual([302, 200])
      expect(scripted.headers.get("content-type")).toBe("application/json")
      expect(removeRandomParams(url)).toBe(removeRandomParams(plain.headers.get("location")))
      expect(scripted.headers.get("location")).toBe(url)
      const kind = (name: string) => name.replace(/(state|email-request)\..*/, "$1")
      expect(getSetCookieNames(scripted).map(kind)).toEqual(getSetCookieNames(plain).map(kind))
    },
  )

  test("still signs in", async () => {
    const { who: browser } = await submitBothWays("callback/credentials", validCredentials)
    expect(await browser.getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test.each(["0", "false", "", "anything"])(
    "becomes JSON, whatever the value of the header: %j",
    async (value) => {
      const { scripted } = await submitBothWays("callback/credentials", validCredentials, value)
      expect(scripted.status).toBe(200)
    },
  )
})

describe("with X-Auth-Return-Redirect, a refusal", () => {
  test.each<[string, string, Record<string, string>, string]>([
    [
      "wrong credentials",
      "callback/credentials",
      { ...validCredentials, word: "wrong" },
      "/auth/signin?error=CredentialsSignin&code=credentials",
    ],
    ["a missing token", "signout", { csrfToken: "" }, "/auth/signin?error=MissingCSRF"],
    ["an unknown provider", "signin/nobody", {}, "/auth/error?error=Configuration"],
  ])(
    "%s: becomes 200 with the URL in JSON, without cookies and Location",
    async (_, route, fields, to) => {
      const { plain, scripted, url } = await submitBothWays(route, fields)
      expect([plain.status, plain.headers.get("location")]).toEqual([302, siteOrigin + to])
      expect([scripted.status, url]).toEqual([200, siteOrigin + to])
      expect(scripted.headers.get("location")).toBeNull()
      expect(scripted.headers.getSetCookie()).toEqual([])
    },
  )
})

describe("with X-Auth-Return-Redirect, a response without a redirect", () => {
  const headers = { [returnRedirectHeader]: "1" }

  test.each(["signin", "signout", "error", "verify-request", "providers", "session"])(
    "%s is unchanged",
    async (action) => {
      const alice = createMinimalSite().openBrowser()
      await alice.signIn("credentials", validCredentials)
      const plain = await alice.fetch(`/auth/${action}`)
      const scripted = await alice.fetch(`/auth/${action}`, { headers })
      expect(scripted.status).toBe(plain.status)
      expect(scripted.headers.get("content-type")).toBe(plain.headers.get("content-type"))
      const token = /[0-9a-f]{64}/g
      expect((await scripted.text()).replace(token, "")).toBe(
        (await plain.text()).replace(token, ""),
      )
    },
  )

  test("to a request without an action remains 400", async () => {
    const response = await sendRequest(createMinimalSite().config, "/auth/nothing", { headers })
    expect([response.status, await response.text()]).toEqual([400, '"Bad request."'])
  })

  test.each(["GET", "POST"])("to an invalid configuration remains 500: %s", async (method) => {
    const { config } = createMinimalSite({ secret: "" })
    for (const action of ["signin", "session", "signout"]) {
      const plain = await sendRequest(config, `/auth/${action}`, { method })
      const scripted = await sendRequest(config, `/auth/${action}`, { method, headers })
      expect([action, scripted.status]).toEqual([action, 500])
      expect(await scripted.text()).toBe(await plain.text())
    }
  })
})
