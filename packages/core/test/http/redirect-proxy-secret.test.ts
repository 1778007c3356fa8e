/** Security case 152: previews that do not know the secret of production. */
import { inspect } from "node:util"
import { encode } from "@latchkey/core/jwt"
import { assertRefused, getRedirectError } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  createDeployments,
  type Deployments,
  openAtProxy,
  stableCallback,
  stableOrigin,
} from "../support/deployments.ts"
import { createMinimalSite, testSiteSecret } from "../support/test-site.ts"

const previewOrigin = "https://pr-7.app.example"
const previewCallback = `${previewOrigin}/auth/callback/scripted`
const previewSecret = "the secret of the previews, and of nothing else"
const redirectProxySecret = "the secret of the redirect proxy and its previews"
const sessionCookie = "__Secure-authjs.session-token"

/** A proxy in production, and a preview with its own secret. */
async function createSeparateDeployments(proxyChanges = {}) {
  const all = await createDeployments({ redirectProxySecret, ...proxyChanges })
  const preview = all.deploy(previewOrigin, { redirectProxySecret, secret: previewSecret })
  return { all, preview }
}

async function openWithState(all: Deployments, secret: string): Promise<Response> {
  const token = { random: "r".repeat(43), origin: previewCallback }
  const state = await encode({ token, secret, salt: "encodedState", maxAge: 900 })
  return openAtProxy(all, `${stableCallback}?${new URLSearchParams({ code: "c", state })}`)
}

function expectNotForwarded(all: Deployments, response: Response): void {
  assertRefused(response)
  expect(getRedirectError(response)).toBe("Configuration")
  expect(all.proxy.log.errorCodes).toEqual(["InvalidCheck"])
}

describe("redirectProxySecret", () => {
  test("a preview with another secret signs users in through the proxy", async () => {
    const { all, preview } = await createSeparateDeployments()
    const alice = preview.openBrowser()
    const back = all.provider.approve(await alice.startSignIn(all.provider))
    const forwarded = await openAtProxy(all, back.url)
    await alice.open(forwarded.headers.get("location") ?? "", { from: "https://idp.example" })
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })

  test.each([previewSecret, redirectProxySecret])(
    "a session encrypted with a secret of the preview is invalid in production: %s",
    async (secret) => {
      const { all } = await createSeparateDeployments()
      const mallory = all.proxy.openBrowser()
      const session = await encode({ token: { sub: "user-ada" }, secret, salt: sessionCookie })
      mallory.cookies.setUnchecked(stableOrigin, `${sessionCookie}=${session}; Path=/; Secure`)
      expect(await mallory.getSession()).toBeNull()
    },
  )

  test("the session of a preview is worthless in production", async () => {
    const { all, preview } = await createSeparateDeployments()
    const alice = preview.openBrowser()
    const back = all.provider.approve(await alice.startSignIn(all.provider))
    const forwarded = await openAtProxy(all, back.url)
    await alice.open(forwarded.headers.get("location") ?? "", { from: "https://idp.example" })
    const session = alice.cookies.get(sessionCookie)?.value ?? ""
    expect(session.split(".")).toHaveLength(5)
    const mallory = all.proxy.openBrowser()
    mallory.cookies.setUnchecked(stableOrigin, `${sessionCookie}=${session}; Path=/; Secure`)
    expect(await mallory.getSession()).toBeNull()
  })

  test.each([testSiteSecret, previewSecret])(
    "a state encrypted with another secret is refused: %s",
    async (secret) => {
      const { all } = await createSeparateDeployments()
      expectNotForwarded(all, await openWithState(all, secret))
    },
  )

  test("in a list accepts the states of deployments that still share `secret`", async () => {
    const list = [redirectProxySecret, testSiteSecret]
    const { all } = await createSeparateDeployments({ redirectProxySecret: list })
    const forwarded = await openWithState(all, testSiteSecret)
    expect(forwarded.headers.get("location")).toMatch(previewCallback)
  })

  test.each<[string, object, string]>([
    ["is short", { redirectProxySecret: "short" }, "WeakSecret"],
    ["is not a string", { redirectProxySecret: 5 }, "InvalidOption"],
    ["is the secret itself", { redirectProxySecret: testSiteSecret }, "InvalidOption"],
  ])("that %s is a configuration problem", async (_, changes, code) => {
    const { app, log } = createMinimalSite(changes)
    const response = await app(new Request(`${stableOrigin}/auth/session`))
    expect(response.status).toBe(500)
    expect(log.errorCodes[0]).toBe(code)
    expect(inspect(log.lines, { depth: null })).toContain("redirectProxySecret")
  })
})

describe("a code that a preview received", () => {
  /**
   * Mallory begins a sign-in in production, and makes Alice open its URL with the state of a preview. Returns the URL
   * that brings Alice's code back, with the state of Mallory's sign-in.
   */
  async function stealCode(all: Deployments, preview: Deployments["proxy"]) {
    const mallory = all.proxy.openBrowser()
    const own = await mallory.startSignIn(all.provider)
    const atPreview = await preview.openBrowser().startSignIn(all.provider)
    const lure = new URL(own)
    lure.searchParams.set("state", atPreview.searchParams.get("state") ?? "")
    const forwarded = await openAtProxy(all, all.provider.approve(lure).url)
    const { origin, search } = new URL(forwarded.headers.get("location") ?? "")
    expect(origin).toBe(previewOrigin)
    const url = new URL(stableCallback + search)
    url.searchParams.set("state", own.searchParams.get("state") ?? "")
    return { mallory, url }
  }

  test.each([
    ["as it is", (code: string) => code],
    ["with white space", (code: string) => ` ${code}\n`],
    ["with padding", (code: string) => `${code}=`],
  ])("signs nobody in to production: %s", async (_, change) => {
    const { all, preview } = await createSeparateDeployments()
    const { mallory, url } = await stealCode(all, preview)
    url.searchParams.set("code", change(url.searchParams.get("code") ?? ""))
    assertRefused(await mallory.open(url))
    expect(all.provider.tokenRequests).toEqual([])
    expect(await mallory.getSession()).toBeNull()
    expect(all.proxy.log.errorCodes).toEqual(["InvalidCheck"])
  })
})
