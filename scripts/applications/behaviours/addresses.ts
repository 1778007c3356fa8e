/** The URL of the application: proxies, trust, and other paths. */
import assert from "node:assert/strict"
import type { ApplicationFixture } from "../application-fixture.ts"
import {
  assertSignedIn,
  type BehaviourGroup,
  resolveRedirect,
  sessionCookieNames,
  signInAnn,
} from "./behaviour.ts"

export const addressBehaviours: BehaviourGroup = {
  title: "Addresses",
  behaviours: [
    {
      name: "On `http://127.0.0.1`: no cookie requires https",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        assert.deepEqual(sessionCookieNames(browser), ["authjs.session-token"])
        assert.ok(!browser.cookies.get("authjs.session-token")?.secure)
        assert.deepEqual(browser.cookies.rejected, [])
      },
    },
    {
      name: "Untrusted forwarded headers are ignored",
      deployment: "untrusted",
      async verify(fixture) {
        const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" }
        const browser = fixture.openBrowser()
        for (const route of ["signin", "providers", "csrf"]) {
          const response = await browser.open(`${fixture.basePath}/${route}`, { headers })
          const responseText = [...response.headers.values(), await response.text()].join("\n")
          assert.ok(!responseText.includes("evil.example"), route)
          assert.ok(!responseText.includes("__Host-"), route)
        }
      },
    },
    {
      name: "Behind a trusted proxy that terminates TLS: a complete sign-in",
      deployment: "proxied",
      verify: verifyRoundTrip,
    },
    {
      name: "Behind a proxy that terminates TLS: cookies for https only",
      deployment: "proxied",
      verify: verifySecureCookies,
    },
    {
      name: "Behind a proxy without forwarded headers: a complete sign-in with `AUTH_URL`",
      deployment: "silent",
      verify: verifyRoundTrip,
    },
    {
      name: "`AUTH_URL` overrides every header",
      deployment: "silent",
      async verify(fixture) {
        const headers = { "x-forwarded-host": "evil.example", host: "evil.example" }
        const response = await fixture
          .openBrowser()
          .open(`${fixture.basePath}/providers`, { headers })
        const responseText = await response.text()
        assert.ok(
          responseText.includes(`${fixture.origin}${fixture.basePath}/callback/tenantidp`),
          responseText,
        )
        assert.ok(!responseText.includes("evil.example"))
      },
    },
    { name: "On another path: a complete sign-in", deployment: "deep", verify: verifyRoundTrip },
    {
      name: "On another path: the default path is not handled",
      deployment: "deep",
      async verify(fixture) {
        const response = await fixture.openBrowser().open(`${fixture.application.basePath}/session`)
        assert.equal(response.status, 404)
      },
    },
  ],
}

/** Signs in with the provider and signs out. */
async function verifyRoundTrip(fixture: ApplicationFixture): Promise<void> {
  const browser = fixture.openBrowser()
  const authorization = await browser.startSignIn("tenantidp", { callbackUrl: "/members" })
  const redirectUri = authorization.searchParams.get("redirect_uri")
  assert.equal(redirectUri, `${fixture.origin}${fixture.basePath}/callback/tenantidp`)
  const callbackUrl = await fixture.tenant.approve(authorization)
  const response = await browser.open(callbackUrl, { from: fixture.tenant.origin })
  assert.equal(resolveRedirect(response, fixture).href, `${fixture.origin}/members`)
  await assertSignedIn(fixture, browser, "Ada Lindqvist")
  await browser.signOut()
  assert.equal(await browser.getSession(), null)
}

async function verifySecureCookies(fixture: ApplicationFixture): Promise<void> {
  const browser = await signInAnn(fixture)
  const authCookies = [...browser.cookies].filter(({ name }) => name.includes("authjs"))
  assert.ok(authCookies.length >= 2)
  for (const { name, secure } of authCookies) {
    assert.match(name, /^__(Host|Secure)-/)
    assert.ok(secure, name)
  }
}
