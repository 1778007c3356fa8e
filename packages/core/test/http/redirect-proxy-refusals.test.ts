/** Security case 16: what a redirect proxy never forwards. */
import { encode } from "@latchkey/core/jwt"
import { assertRefused, errorOf, withClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { atProxy, type Deployments, deployments, stableCallback } from "../support/deployments.ts"
import { siteSecret } from "../support/front-door.ts"

const preview = "https://pr-7.app.example"

/** An answer of the provider to a sign-in that a deployment with this origin began. */
async function answerFor(all: Deployments, origin: string): Promise<URL> {
  const begun = await all.deploy(origin).visitor().begin(all.provider)
  return all.provider.approve(begun).url
}

function expectRefused(all: Deployments, answer: Response): void {
  assertRefused(answer)
  expect(errorOf(answer)).toBe("Configuration")
  const { lines } = all.proxy.log
  expect(all.proxy.log.errors).toEqual(["InvalidCheck"])
  const code = new URL(answer.headers.get("location") ?? "").searchParams.get("code")
  expect(code).toBeNull()
  expect(all.provider.tokenRequests).toEqual([])
  expect(lines.length).toBeGreaterThan(0)
}

describe("places outside of the allow-list", () => {
  test.each([
    "https://evil.example",
    "https://app.example.evil.example",
    "https://evilapp.example",
    "https://app.example:8443",
    "http://pr-7.app.example",
    "https://example",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
  ])("16 refuses to forward to %s, and sends it no code", async (origin) => {
    const all = await deployments()
    const answer = await atProxy(all, await answerFor(all, origin))
    expectRefused(all, answer)
  })

  test.each([
    ["an origin that is listed", "https://preview.example", "https://preview.example"],
    ["a host under a listed wildcard", "https://a.previews.example", "https://*.previews.example"],
    ["a listed host with its port", "https://preview.example:8443", "https://preview.example:8443"],
  ])("16 forwards to %s", async (_, origin, entry) => {
    const all = await deployments({ redirectProxyOrigins: [entry] })
    const answer = await atProxy(all, await answerFor(all, origin))
    expect(answer.headers.get("location")).toMatch(`${origin}/auth/callback/scripted?`)
  })

  test.each([
    ["http://localhost:3000"],
    ["http://127.0.0.1:5173"],
    ["http://[::1]:3000"],
    ["https://pr-7.app.example:8443"],
  ])("16 forwards to %s without being told", async (origin) => {
    const all = await deployments()
    const answer = await atProxy(all, await answerFor(all, origin))
    expect(answer.headers.get("location")).toMatch(`${origin}/auth/callback/scripted?`)
  })

  test.each([
    ["https://previews.example", "https://*.previews.example"],
    ["https://evilpreviews.example", "https://*.previews.example"],
    ["http://a.previews.example", "https://*.previews.example"],
    ["https://a.previews.example:8443", "https://*.previews.example"],
    ["https://a.previews.example.evil.example", "https://*.previews.example"],
    ["https://preview.example:8443", "https://preview.example"],
    ["https://sub.preview.example", "https://preview.example"],
    ["http://preview.example", "https://preview.example"],
  ])("16 refuses to forward to %s when %s is listed", async (origin, entry) => {
    const all = await deployments({ redirectProxyOrigins: [entry] })
    const answer = await atProxy(all, await answerFor(all, origin))
    expectRefused(all, answer)
  })
})

describe("states that no deployment sealed", () => {
  const claims = { random: "r".repeat(43), origin: `${preview}/auth/callback/scripted` }
  const sealed = (token: object, salt = "encodedState", secret = siteSecret) =>
    encode({ token: { ...token }, secret, salt, maxAge: 900 })

  test.each<[string, () => string | Promise<string>]>([
    ["text with dots", () => "a.b.c.d.e"],
    ["an unsigned token", () => "eyJhbGciOiJub25lIn0.eyJvcmlnaW4iOiJodHRwczovL2V2aWwifQ."],
    [
      "a foreign secret",
      () => sealed(claims, "encodedState", "the secret of somebody else altogether"),
    ],
    ["a session token", () => sealed(claims, "__Secure-authjs.session-token")],
    ["a sealed state without a place", () => sealed({ random: claims.random })],
    ["a place that is no text", () => sealed({ ...claims, origin: [claims.origin] })],
    ["a place that is no URL", () => sealed({ ...claims, origin: "/auth/callback/scripted" })],
    ["a script", () => sealed({ ...claims, origin: "javascript:alert(1)//callback/scripted" })],
    ["another path", () => sealed({ ...claims, origin: `${preview}/open-redirect` })],
    [
      "the callback of another provider",
      () => sealed({ ...claims, origin: `${preview}/auth/callback/other` }),
    ],
    ["a place with a query", () => sealed({ ...claims, origin: `${claims.origin}?code=x` })],
    ["a place with a fragment", () => sealed({ ...claims, origin: `${claims.origin}#x` })],
    [
      "a place with credentials",
      () => sealed({ ...claims, origin: "https://u:p@pr-7.app.example/auth/callback/scripted" }),
    ],
  ])("16 refuses %s", async (_, state) => {
    const all = await deployments()
    const query = new URLSearchParams({ code: "stolen", state: await state() })
    expectRefused(all, await atProxy(all, `${stableCallback}?${query}`))
  })

  test("16 forwards the honest one that the others were made from", async () => {
    const all = await deployments()
    const query = new URLSearchParams({ code: "c", state: await sealed(claims) })
    const answer = await atProxy(all, `${stableCallback}?${query}`)
    expect(answer.headers.get("location")).toBe(`${claims.origin}?${query}`)
  })

  test("16 refuses one of which a letter was changed", async () => {
    const all = await deployments()
    const url = await answerFor(all, preview)
    const state = url.searchParams.get("state") ?? ""
    const at = Math.floor(state.length / 2)
    const other = state[at] === "A" ? "B" : "A"
    url.searchParams.set("state", state.slice(0, at) + other + state.slice(at + 1))
    expectRefused(all, await atProxy(all, url))
  })

  test("16 refuses one that is older than a quarter of an hour", async () => {
    const all = await deployments()
    const url = await answerFor(all, preview)
    const fresh = await withClock(Date.now() + 890_000, () => atProxy(all, url))
    expect(fresh.headers.get("location")).toMatch(preview)
    const late = await withClock(Date.now() + 901_000, () => atProxy(all, url))
    expectRefused(all, late)
  })

  test("16 refuses the cookie of a sign-in under way in place of its state", async () => {
    const all = await deployments()
    const alice = all.deploy(preview).visitor()
    const begun = await alice.begin(all.provider)
    const cookie = [...alice.cookies].find(({ name }) => name.startsWith("__Host-authjs.state."))
    const url = all.provider.approve(begun).url
    url.searchParams.set("state", cookie?.value ?? "")
    expect(cookie?.value.split(".")).toHaveLength(5)
    expectRefused(all, await atProxy(all, url))
  })

  test("16 refuses a missing state", async () => {
    const all = await deployments()
    const url = await answerFor(all, preview)
    url.searchParams.delete("state")
    expectRefused(all, await atProxy(all, url))
  })

  test.each(["code", "state", "iss"])("16 forwards no answer that has `%s` twice", async (name) => {
    const all = await deployments()
    const url = await answerFor(all, preview)
    url.searchParams.append(name, url.searchParams.get(name) ?? "")
    expectRefused(all, await atProxy(all, url))
  })

  test("16 forwards nothing where it is no proxy, even to a place that it could forward to", async () => {
    const all = await deployments()
    const url = await answerFor(all, preview)
    const origin = "https://other.example"
    const other = all.deploy(origin, { redirectProxyOrigins: [preview] })
    const answer = await other.visitor().open(new URL(url.pathname + url.search, origin))
    assertRefused(answer, { origin })
    expect(all.provider.tokenRequests).toEqual([])
  })
})
