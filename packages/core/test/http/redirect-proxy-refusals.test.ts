/** Security case 16: what a redirect proxy never forwards. */
import { inspect } from "node:util"
import { encode } from "@latchkey/core/jwt"
import { assertRefused, getRedirectError, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createDeployments,
  type Deployments,
  openAtProxy,
  stableCallback,
} from "../support/deployments.ts"
import { testSiteSecret } from "../support/test-site.ts"

const previewOrigin = "https://pr-7.app.example"

/** Returns the provider's response to a sign-in that a deployment with this origin started. */
async function approveSignIn(deployments: Deployments, origin: string): Promise<URL> {
  const authorizationUrl = await deployments
    .deploy(origin)
    .openBrowser()
    .startSignIn(deployments.provider)
  return deployments.provider.approve(authorizationUrl).url
}

function expectRefused(deployments: Deployments, response: Response): void {
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  const { lines } = deployments.proxy.log
  expect(deployments.proxy.log.errorCodes).toEqual(["InvalidCheck"])
  const code = new URL(response.headers.get("location") ?? "").searchParams.get("code")
  expect(code).toBeNull()
  expect(deployments.provider.tokenRequests).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
}

describe("origins outside of the allow-list", () => {
  test.each([
    "https://evil.example",
    "https://app.example.evil.example",
    "https://evilapp.example",
    "https://app.example:8443",
    "http://pr-7.app.example",
    "https://example",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
  ])("are refused without sending them a code: %s", async (origin) => {
    const all = await createDeployments()
    const response = await openAtProxy(all, await approveSignIn(all, origin))
    expectRefused(all, response)
  })

  test.each([
    ["an origin that is listed", "https://preview.example", "https://preview.example"],
    ["a host under a listed wildcard", "https://a.previews.example", "https://*.previews.example"],
    ["a listed host with its port", "https://preview.example:8443", "https://preview.example:8443"],
  ])("forwards to %s", async (_, origin, entry) => {
    const all = await createDeployments({ redirectProxyOrigins: [entry] })
    const response = await openAtProxy(all, await approveSignIn(all, origin))
    expect(response.headers.get("location")).toMatch(`${origin}/auth/callback/scripted?`)
  })

  test.each([
    "https://pr-7.app.example",
    "https://pr-7.app.example:8443",
    "http://localhost:3000",
    "http://127.0.0.1:5173",
    "http://[::1]:3000",
    "http://preview.localhost",
  ])("refuses to forward to %s, which is not listed, and names the option", async (origin) => {
    const all = await createDeployments({ redirectProxyOrigins: [] })
    expectRefused(all, await openAtProxy(all, await approveSignIn(all, origin)))
    expect(inspect(all.proxy.log.lines, { depth: null })).toContain("redirectProxyOrigins")
  })

  const loopbackOrigins = ["http://localhost:3000", "http://127.0.0.1:5173", "http://[::1]:3000"]

  test.each(loopbackOrigins)("forwards to %s in development", async (origin) => {
    const all = await createDeployments({ development: true })
    const response = await openAtProxy(all, await approveSignIn(all, origin))
    expect(response.headers.get("location")).toMatch(`${origin}/auth/callback/scripted?`)
  })

  test.each(loopbackOrigins)(
    "refuses to forward to %s in production, even if it is listed",
    async (origin) => {
      const all = await createDeployments({ redirectProxyOrigins: [origin] })
      expectRefused(all, await openAtProxy(all, await approveSignIn(all, origin)))
    },
  )

  test.each([
    ["https://previews.example", "https://*.previews.example"],
    ["https://evilpreviews.example", "https://*.previews.example"],
    ["http://a.previews.example", "https://*.previews.example"],
    ["https://a.previews.example:8443", "https://*.previews.example"],
    ["https://a.previews.example.evil.example", "https://*.previews.example"],
    ["https://preview.example:8443", "https://preview.example"],
    ["https://sub.preview.example", "https://preview.example"],
    ["http://preview.example", "https://preview.example"],
  ])("refuses to forward to %s when %s is listed", async (origin, entry) => {
    const all = await createDeployments({ redirectProxyOrigins: [entry] })
    const response = await openAtProxy(all, await approveSignIn(all, origin))
    expectRefused(all, response)
  })
})

describe("a state that no deployment created", () => {
  const claims = { random: "r".repeat(43), origin: `${previewOrigin}/auth/callback/scripted` }
  const sealed = (token: object, salt = "encodedState", secret = testSiteSecret) =>
    encode({ token: { ...token }, secret, salt, maxAge: 900 })

  test.each<[string, () => string | Promise<string>]>([
    ["text with dots", () => "a.b.c.d.e"],
    ["an unsigned token", () => "eyJhbGciOiJub25lIn0.eyJvcmlnaW4iOiJodHRwczovL2V2aWwifQ."],
    [
      "a foreign secret",
      () => sealed(claims, "encodedState", "the secret of somebody else altogether"),
    ],
    ["a session token", () => sealed(claims, "__Secure-authjs.session-token")],
    ["an encrypted state without an origin", () => sealed({ random: claims.random })],
    ["an origin that is not a string", () => sealed({ ...claims, origin: [claims.origin] })],
    ["an origin that is not a URL", () => sealed({ ...claims, origin: "/auth/callback/scripted" })],
    ["a script", () => sealed({ ...claims, origin: "javascript:alert(1)//callback/scripted" })],
    ["another path", () => sealed({ ...claims, origin: `${previewOrigin}/open-redirect` })],
    [
      "the callback of another provider",
      () => sealed({ ...claims, origin: `${previewOrigin}/auth/callback/other` }),
    ],
    ["a URL with a query", () => sealed({ ...claims, origin: `${claims.origin}?code=x` })],
    ["a URL with a fragment", () => sealed({ ...claims, origin: `${claims.origin}#x` })],
    [
      "a URL with credentials",
      () => sealed({ ...claims, origin: "https://u:p@pr-7.app.example/auth/callback/scripted" }),
    ],
  ])("refuses %s", async (_, state) => {
    const all = await createDeployments()
    const query = new URLSearchParams({ code: "stolen", state: await state() })
    expectRefused(all, await openAtProxy(all, `${stableCallback}?${query}`))
  })

  test("forwards the valid state from which the others were made", async () => {
    const all = await createDeployments()
    const query = new URLSearchParams({ code: "c", state: await sealed(claims) })
    const response = await openAtProxy(all, `${stableCallback}?${query}`)
    expect(response.headers.get("location")).toBe(`${claims.origin}?${query}`)
  })

  test("refuses a state with one changed character", async () => {
    const all = await createDeployments()
    const url = await approveSignIn(all, previewOrigin)
    const state = url.searchParams.get("state") ?? ""
    const index = Math.floor(state.length / 2)
    const other = state[index] === "A" ? "B" : "A"
    url.searchParams.set("state", state.slice(0, index) + other + state.slice(index + 1))
    expectRefused(all, await openAtProxy(all, url))
  })

  test("refuses a state that is older than 15 minutes", async () => {
    const all = await createDeployments()
    const url = await approveSignIn(all, previewOrigin)
    const fresh = await withFrozenTime(Date.now() + 890_000, () => openAtProxy(all, url))
    expect(fresh.headers.get("location")).toMatch(previewOrigin)
    const late = await withFrozenTime(Date.now() + 901_000, () => openAtProxy(all, url))
    expectRefused(all, late)
  })

  test("refuses the cookie of a pending sign-in in place of its state", async () => {
    const all = await createDeployments()
    const alice = all.deploy(previewOrigin).openBrowser()
    const authorizationUrl = await alice.startSignIn(all.provider)
    const cookie = [...alice.cookies].find(({ name }) => name.startsWith("__Host-authjs.state."))
    const url = all.provider.approve(authorizationUrl).url
    url.searchParams.set("state", cookie?.value ?? "")
    expect(cookie?.value.split(".")).toHaveLength(5)
    expectRefused(all, await openAtProxy(all, url))
  })

  test("refuses a missing state", async () => {
    const all = await createDeployments()
    const url = await approveSignIn(all, previewOrigin)
    url.searchParams.delete("state")
    expectRefused(all, await openAtProxy(all, url))
  })

  test.each(["code", "state", "iss"])(
    "does not forward a response that repeats `%s`",
    async (name) => {
      const all = await createDeployments()
      const url = await approveSignIn(all, previewOrigin)
      url.searchParams.append(name, url.searchParams.get(name) ?? "")
      expectRefused(all, await openAtProxy(all, url))
    },
  )

  test("forwards nothing if it is not configured as a proxy", async () => {
    const all = await createDeployments()
    const url = await approveSignIn(all, previewOrigin)
    const origin = "https://other.example"
    const other = all.deploy(origin, { redirectProxyOrigins: [previewOrigin] })
    const response = await other.openBrowser().open(new URL(url.pathname + url.search, origin))
    assertRefused(response, { origin })
    expect(all.provider.tokenRequests).toEqual([])
  })
})
