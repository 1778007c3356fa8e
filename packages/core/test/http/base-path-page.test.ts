/** The base path itself, and paths below it that are not actions, in a browser. */
import { describe, expect, test } from "vitest"
import { findElement } from "../support/html-parser.ts"
import {
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

const html = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

describe("the base path", () => {
  test.each(["/auth", "/auth/", "/auth?x=1"])("%s leads to the sign-in page", async (path) => {
    const response = await sendRequest(createMinimalSite().config, path)
    expect([response.status, response.headers.get("location")]).toEqual([
      302,
      `${siteOrigin}/auth/signin`,
    ])
  })

  test("leads to the sign-in page of the application, with the callback URL", async () => {
    const alice = createMinimalSite({ pages: { signIn: "/login" } }).openBrowser()
    const response = await alice.followRedirect(await alice.open("/auth?callbackUrl=/inbox"))
    const query = new URLSearchParams({ callbackUrl: `${siteOrigin}/inbox` })
    expect(response.headers.get("location")).toBe(`/login?${query}`)
  })

  test.each(["jwt", "database"] as const)(
    "leads signed-in visitors on to the application: %s",
    async (strategy) => {
      const { openBrowser, provider } = await createTestSite({ session: { strategy } })
      const alice = openBrowser()
      await alice.signIn(provider)
      expect((await alice.open("/auth")).headers.get("location")).toBe(siteOrigin)
      await alice.open("/auth/error?callbackUrl=/inbox")
      expect((await alice.open("/auth")).headers.get("location")).toBe(`${siteOrigin}/inbox`)
    },
  )

  test.each(["/auth", "/auth/signout", "/auth/error?error=AccessDenied"])(
    "does not lead to one of the actions: %s",
    async (callbackUrl) => {
      const alice = createMinimalSite().openBrowser()
      await alice.signIn("credentials", validCredentials)
      const response = await alice.open(`/auth?${new URLSearchParams({ callbackUrl })}`)
      expect(response.headers.get("location")).toBe(siteOrigin)
    },
  )

  test.each(["/auth", "/auth/", `${siteOrigin}/auth?lang=en`])(
    "does not lead to itself if it is the sign-in page of the application: %s",
    async (signIn) => {
      const { config } = createMinimalSite({ pages: { signIn } })
      const response = await sendRequest(config, "/auth")
      expect([response.status, response.headers.get("location")]).toEqual([400, null])
    },
  )

  test("is a page of the application if it is the root", async () => {
    expect((await sendRequest(createMinimalSite({ basePath: "/" }).config, "/")).status).toBe(400)
  })

  test("is only for GET", async () => {
    const { config } = createMinimalSite()
    for (const method of ["POST", "HEAD", "PUT"])
      expect((await sendRequest(config, "/auth", { method })).status).toBe(405)
  })
})

describe("an unknown path", () => {
  test("has a page that leads on, for browsers", async () => {
    for (const path of ["/auth/nowhere", "/auth/signin/a/b", "/auth//session"]) {
      const { config } = createMinimalSite()
      const response = await sendRequest(config, siteOrigin + path, { headers: html })
      expect(response.status).toBe(404)
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
      expect(response.headers.getSetCookie()).toEqual([])
      const page = await response.text()
      expect(findElement(page, "h1").text).toBe("Page not found")
      expect(findElement(page, "a").attributes.get("href")).toBe(siteOrigin)
    }
  })

  test("has no page for other clients and methods", async () => {
    const { config } = createMinimalSite()
    for (const init of [
      {},
      { headers: { accept: "application/json" } },
      { headers: { accept: "*/*" } },
      { headers: html, method: "POST" },
      { headers: html, method: "DELETE" },
    ]) {
      const response = await sendRequest(config, "/auth/nowhere", init)
      expect([response.status, await response.text()]).toEqual([400, '"Bad request."'])
    }
  })
})

describe("signing out", () => {
  test("does not ask visitors who are signed out", async () => {
    const alice = createMinimalSite().openBrowser()
    const response = await alice.open("/auth/signout?callbackUrl=/bye")
    expect([response.status, response.headers.get("location")]).toEqual([302, `${siteOrigin}/bye`])
  })

  test("does not lead visitors who are signed out in circles", async () => {
    const alice = createMinimalSite().openBrowser()
    const response = await alice.open("/auth/signout?callbackUrl=/auth/signout")
    expect(response.headers.get("location")).toBe(siteOrigin)
  })

  test("asks visitors who are signed in", async () => {
    const alice = createMinimalSite().openBrowser()
    await alice.signIn("credentials", validCredentials)
    const response = await alice.open("/auth/signout")
    expect(response.status).toBe(200)
    expect(await alice.getSession()).not.toBeNull()
  })
})
