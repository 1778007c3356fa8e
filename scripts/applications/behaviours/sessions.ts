/** Sessions: reading, updating and ending them. */
import assert from "node:assert/strict"
import {
  assertSignedIn,
  assertSignedOut,
  type BehaviourGroup,
  readUserName,
  resolveRedirect,
  sessionCookieNames,
  signInAnn,
} from "./behaviour.ts"

export const sessionBehaviours: BehaviourGroup = {
  title: "Sessions",
  behaviours: [
    {
      name: "Signed out: the endpoint and the framework's function return `null`",
      verify: (fixture) => assertSignedOut(fixture, fixture.openBrowser()),
    },
    {
      name: "Signed in: the endpoint and the framework's function return the same session",
      verify: async (fixture) => assertSignedIn(fixture, await signInAnn(fixture), "Ann"),
    },
    {
      name: "Caches store no session",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        const { headers } = await browser.fetch(`${fixture.basePath}/session`)
        assert.match(headers.get("cache-control") ?? "", /no-store/)
      },
    },
    {
      name: "An update changes it",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        const response = await browser.updateSession({ name: "Annie" })
        assert.equal(response.status, 200)
        await assertSignedIn(fixture, browser, "Annie")
      },
    },
    {
      name: "Signing out ends it",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        const response = await browser.signOut({ callbackUrl: "/" })
        assert.equal(resolveRedirect(response, fixture).href, `${fixture.origin}/`)
        assert.deepEqual(sessionCookieNames(browser), [])
        await assertSignedOut(fixture, browser)
      },
    },
    {
      name: "A large session uses several cookies, which are all deleted at its end",
      async verify(fixture) {
        const browser = fixture.openBrowser()
        const password = "correct horse battery staple"
        await browser.signIn("credentials", { email: "big@example.com", password })
        assert.ok(sessionCookieNames(browser).length >= 2, sessionCookieNames(browser).join(" "))
        await assertSignedIn(fixture, browser, "Big")
        await browser.signOut()
        assert.deepEqual(sessionCookieNames(browser), [])
      },
    },
    {
      name: "The framework's function passes on a renewed cookie",
      deployment: "deep",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        await fixture.readSession(browser)
        const renewedCookies = browser.setCookieHeaders.filter((line) =>
          line.includes("session-token="),
        )
        assert.equal(renewedCookies.length, 1)
        await assertSignedIn(fixture, browser, "Ann")
      },
    },
    {
      name: "In a database: read, update and end",
      deployment: "database",
      async verify(fixture) {
        const browser = await signInAnn(fixture)
        await assertSignedIn(fixture, browser, "Ann")
        const otherBrowser = fixture.openBrowser()
        for (const { name, value } of browser.cookies) {
          otherBrowser.cookies.setUnchecked(fixture.origin, `${name}=${value}; Path=/`)
        }
        assert.equal(await readUserName(otherBrowser), "Ann")
        await browser.signOut()
        await assertSignedOut(fixture, browser)
        assert.equal(await readUserName(otherBrowser), undefined)
      },
    },
  ],
}
