/** Security case 14: the application decides on redirects, and invalid results redirect to the origin. */
import { skipCSRFCheck } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { callbackUrlCookie, callbackUrlInputs } from "../support/callback-url-inputs.ts"
import { checkEach } from "../support/check-each.ts"
import {
  createMinimalSite,
  createTestSite,
  postForm,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

type RedirectCallback = (params: { url: string; baseUrl: string }) => string | Promise<string>

const throwingRedirect: RedirectCallback = () => {
  throw new RangeError("no such tenant")
}

/** Results that an application in plain JavaScript may return. */
const returnValue = (response: unknown): RedirectCallback => (() => response) as RedirectCallback

const faultyRedirects: Record<string, RedirectCallback> = {
  throws: throwingRedirect,
  rejects: async (params) => throwingRedirect(params),
  "returns undefined": returnValue(undefined),
  "returns null": returnValue(null),
  "returns false": returnValue(false),
  "returns a number": returnValue(42),
  "returns an object": returnValue({ url: "/x" }),
  "returns an empty string": () => "",
  "returns a script": () => "javascript:alert(1)",
  "returns a foreign host without a scheme": () => "//evil.example/x",
  "returns a foreign host after a backslash": () => "/\\evil.example/x",
  "returns a URL with credentials": () => "https://app.example@evil.example",
  "returns a line break": () => "/a\r\nSet-Cookie: b=c",
  "returns a relative path": () => "dashboard",
  "returns a URL that is too long": () => `/${"a".repeat(5000)}`,
}

test.each(Object.entries(faultyRedirects))(
  "redirects to the origin, and is logged: a `redirect` that %s",
  (_, redirect) =>
    checkEach(Object.entries(callbackUrlInputs), async (signIn) => {
      const made = await createTestSite({ callbacks: { redirect } })
      const targets = await signIn(made, "/dashboard")
      expect(targets.at(-1)).toBe(siteOrigin)
      expect(made.log.errorCodes.length).toBeGreaterThan(0)
      expect(new Set(made.log.errorCodes).size).toBe(1)
    }),
)

describe("`redirect`", () => {
  test("can return another site, which the application chose", async () => {
    const { config } = createMinimalSite({
      callbacks: { redirect: () => "https://www.example/welcome" },
    })
    const response = await signOut(config, { callbackUrl: "/a" })
    expect(response.headers.get("location")).toBe("https://www.example/welcome")
  })

  test("can return a path", async () => {
    const { config } = createMinimalSite({ callbacks: { redirect: async () => "/welcome?x=1" } })
    const response = await signOut(config, { callbackUrl: "/a" })
    expect(response.headers.get("location")).toBe(`${siteOrigin}/welcome?x=1`)
  })

  test("receives the URL as it was requested, and the origin of the request", async () => {
    const received: unknown[] = []
    const redirect: RedirectCallback = (params) => {
      received.push(params)
      return params.baseUrl
    }
    const { config } = createMinimalSite({ callbacks: { redirect } })
    await signOut(config, { callbackUrl: "/a?b#c" })
    await signOut(config, { callbackUrl: "https://www.example/x" })
    expect(received).toEqual([
      { url: "/a?b#c", baseUrl: siteOrigin },
      { url: "https://www.example/x", baseUrl: siteOrigin },
    ])
  })

  test("is called at every sign-in and sign-out, even without a callback URL", async () => {
    const made = await createTestSite({ callbacks: { redirect: () => "/welcome" } })
    const alice = made.openBrowser()
    await alice.open("/auth/signin")
    const signedIn = await alice.signIn(made.provider)
    expect(signedIn.headers.get("location")).toBe(`${siteOrigin}/welcome`)

    alice.cookies.setUnchecked(
      siteOrigin,
      `${callbackUrlCookie}=${encodeURIComponent(siteOrigin)}; Path=/; Secure`,
    )
    const again = await alice.signIn("credentials", validCredentials)
    expect(again.headers.get("location")).toBe(`${siteOrigin}/welcome`)
    expect((await alice.signOut()).headers.get("location")).toBe(`${siteOrigin}/welcome`)
  })

  test("is called for the URL that `signIn` returns", async () => {
    const callbacks = { signIn: () => "https://evil.example/denied" }
    const { openBrowser, provider } = await createTestSite({ callbacks })
    const alice = openBrowser()
    const authorizationUrl = await alice.startSignIn(provider)
    const response = await alice.open(provider.approve(authorizationUrl))
    expect(response.headers.get("location")).toBe(siteOrigin)
    expect(await alice.getSession()).toBeNull()
  })
})

/** Signs out on behalf of the application's own code, which needs no form. */
function signOut(config: TestSiteConfig, fields: Record<string, string>): Promise<Response> {
  return postForm({ ...config, skipCSRFCheck }, "/auth/signout", fields)
}
