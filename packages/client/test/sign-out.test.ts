/** `signOut` of the client with `redirect: false`. */
import { expect, test } from "vitest"
import { createStoredPasswordApp } from "../../core/test/support/password-app.ts"
import {
  createTestSite,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../../core/test/support/test-site.ts"
import { createClientPages } from "./support/client-pages.ts"

const withoutRedirect = { redirect: false } as const

async function openSignedInPages(changes: Partial<TestSiteConfig> = {}) {
  const visited = createClientPages((await createTestSite(changes)).app)
  await visited.testBrowser.signIn("credentials", validCredentials)
  return visited
}

test("signOut ends the session, and returns the target", async () => {
  const page = (await openSignedInPages()).openPage()
  const result = await page.signOut({ ...withoutRedirect, redirectTo: "/bye" })
  expect(result).toEqual({ ok: true, kind: "signed-out", status: 200, url: `${siteOrigin}/bye` })
  expect(page.sessionState()).toEqual({ kind: "signed-out", stale: false })
  expect(await page.getSession()).toBeNull()
})

test("signOut also accepts `callbackUrl` as the target", async () => {
  const page = (await openSignedInPages()).openPage()
  expect(await page.signOut({ ...withoutRedirect, callbackUrl: "/bye" })).toMatchObject({
    url: `${siteOrigin}/bye`,
  })
})

test("signOut does not redirect to other sites", async () => {
  const page = (await openSignedInPages()).openPage()
  const result = await page.signOut({ ...withoutRedirect, redirectTo: "https://evil.example/" })
  expect(result.url).toBe(`${siteOrigin}/`)
})

test("signOut ends a database session", async () => {
  const people = await createStoredPasswordApp({ session: { strategy: "database" } })
  const { openPage, testBrowser: browser } = createClientPages(people.handle)
  await browser.signIn("credentials", { name: "ada", password: "open sesame" })
  const page = openPage()
  expect(await page.getSession()).toMatchObject({ user: { name: "ada" } })
  expect(people.countRows("Session")).toBe(1)
  await page.signOut(withoutRedirect)
  expect(people.countRows("Session")).toBe(0)
})

test("signOut keeps the known state if it fails", async () => {
  const visited = await openSignedInPages()
  const page = visited.openPage()
  await page.getSession()
  visited.network = ({ method }) =>
    method === "POST" ? new Response("", { status: 500 }) : undefined
  expect(await page.signOut(withoutRedirect)).toMatchObject({
    ok: false,
    kind: "unavailable",
    status: 500,
  })
  expect(page.sessionState()).toMatchObject({ kind: "signed-in", stale: false })
})

test("signOut with `federated` returns the URL of the provider, and ends the session", async () => {
  const site = await createTestSite()
  const { openPage, testBrowser } = createClientPages(site.app)
  await testBrowser.signIn(site.provider)
  const page = openPage()
  const result = await page.signOut({ ...withoutRedirect, federated: true, redirectTo: "/bye" })
  const target = new URL(result.ok ? result.url : "")
  expect(target.origin).toBe(site.provider.issuer)
  expect(page.sessionState()).toEqual({ kind: "signed-out", stale: false })
  const back = `/auth/logout/${site.provider.id}?state=${target.searchParams.get("state")}`
  const returned = await testBrowser.open(back)
  expect(returned.headers.get("location")).toBe(`${siteOrigin}/bye`)
})
