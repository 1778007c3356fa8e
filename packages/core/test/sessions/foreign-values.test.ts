/** Values of another realm in sessions: what callbacks return, and the headers of other implementations of Fetch. */
import { getToken } from "@latchkey/core/jwt"
import type { JWT } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { getAuthenticationAge } from "../../src/sessions/session-facts.ts"
import { evaluateForeign, toForeignData, toForeignDate } from "../support/foreign-values.ts"
import { createLinkingApp } from "../support/linking-app.ts"
import {
  createMinimalSite,
  siteOrigin,
  testSiteSecret,
  validCredentials,
} from "../support/test-site.ts"

test("the token of a session is removed from a foreign result of the `session` callback", async () => {
  const session = ({ session }: { session: object }) =>
    toForeignData({ ...session, copies: [session] })
  const app = await createLinkingApp({ callbacks: { session: session as never } })
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  const [{ sessionToken } = {}] = app.rows("Session")
  expect(sessionToken).toEqual(expect.any(String))
  const text = JSON.stringify(await browser.getSession())
  expect(text).toContain("copies")
  expect(text).not.toContain(sessionToken)
})

test("a foreign result of the `jwt` callback is a token, even if it is empty", async () => {
  const jwt = () => evaluateForeign<JWT>("{}")
  const { openBrowser } = createMinimalSite({ callbacks: { jwt } })
  const browser = openBrowser()
  await browser.signIn("credentials", validCredentials)
  expect(await browser.getSession()).not.toBeNull()
})

test("a foreign `expires` of the `session` callback becomes text", async () => {
  const expires = evaluateForeign<Date>("new Date(4e12)")
  const session = () => ({ expires })
  const { openBrowser } = createMinimalSite({ callbacks: { session: session as never } })
  const browser = openBrowser()
  await browser.signIn("credentials", validCredentials)
  expect(await browser.getSession()).toEqual({ expires: new Date(4e12).toISOString() })
})

test("getToken reads headers of another implementation of Fetch", async () => {
  const { openBrowser } = createMinimalSite()
  const browser = openBrowser()
  await browser.signIn("credentials", validCredentials)
  const sent = { isCrossSite: false, isSafeNavigation: true, isNavigation: true }
  const cookie = browser.cookies.getCookieHeader({ url: new URL(siteOrigin), ...sent }) ?? ""
  const headers = { get: (name: string) => (name === "cookie" ? cookie : null) } as Headers
  expect(
    await getToken({ req: { headers }, secret: testSiteSecret, secureCookie: true }),
  ).not.toBeNull()
})

test("the age of an authentication is known from a foreign date", () => {
  const createdAt = toForeignDate(new Date(Date.now() - 60_000))
  expect(getAuthenticationAge({ createdAt } as object)).toBeCloseTo(60, 0)
})

test("a secret that was removed from a foreign option is no longer accepted", async () => {
  const { config, openBrowser } = createMinimalSite()
  const jwt = toForeignData({ secret: "the first secret of the session tokens" })
  Object.assign(config, { jwt })
  const browser = openBrowser()
  await browser.signIn("credentials", validCredentials)
  expect(await browser.getSession()).not.toBeNull()
  jwt.secret = "the second secret of the session tokens"
  expect(await browser.getSession()).toBeNull()
})
