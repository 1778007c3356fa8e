/** CSRF tokens: the client requests its own, and renews an invalid one. */
import { skipCSRFCheck } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { createTestSite, siteOrigin, validCredentials } from "../../core/test/support/test-site.ts"
import { createClientPages } from "./support/client-pages.ts"

const withoutRedirect = { redirect: false } as const
const csrfCookieName = "__Host-authjs.csrf-token"

describe("a CSRF token", () => {
  test("is accepted by the library", async () => {
    const { app } = await createTestSite()
    const { openPage, testBrowser: browser } = createClientPages(app)
    const csrfToken = await openPage().getCsrfToken()
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    const fields = { ...validCredentials, csrfToken: String(csrfToken) }
    await browser.post("/auth/callback/credentials", fields)
    expect(await openPage().getSession()).toMatchObject({ user: { name: "Ada" } })
  })

  test("is requested again, once, if its cookie was lost", async () => {
    const { app } = await createTestSite()
    const visited = createClientPages(app)
    let posts = 0
    visited.network = ({ method }) => {
      if (method === "POST") posts += 1
      if (method !== "POST" || posts > 1) return undefined
      const url = `${siteOrigin}/auth/signin?error=MissingCSRF`
      return Response.json({ url })
    }
    const result = await visited
      .openPage()
      .signIn("credentials", { ...withoutRedirect, ...validCredentials })
    expect([result.kind, posts]).toEqual(["signed-in", 2])
  })

  test("that cookies cannot hold is refused, without endless attempts", async () => {
    const { app } = await createTestSite()
    const { openPage, requests: received } = createClientPages(async (request) => {
      const headers = new Headers(request.headers)
      headers.delete("cookie")
      return app(new Request(request, { headers }))
    })
    const result = await openPage().signIn("credentials", {
      ...withoutRedirect,
      ...validCredentials,
    })
    expect(result).toMatchObject({ ok: false, kind: "refused", error: "MissingCSRF", url: null })
    expect(received.filter((line) => line.startsWith("POST"))).toHaveLength(2)
  })

  test("from the page is used as it is, and not replaced", async () => {
    const { app } = await createTestSite()
    const { openPage, testBrowser: browser, requests: received } = createClientPages(app)
    const page = openPage()
    await browser.signIn("credentials", validCredentials)
    const csrfToken = await page.getCsrfToken()
    await browser.signIn("credentials", { name: "Bob", word: "sesame" })
    received.length = 0
    const result = await page.signOut({ ...withoutRedirect, ...(csrfToken ? { csrfToken } : {}) })
    expect(result).toMatchObject({ kind: "refused", error: "MissingCSRF" })
    expect(received).toHaveLength(1)
    expect(await page.getSession()).toMatchObject({ user: { name: "Bob" } })
  })

  test("issued without a session is valid for signing in, and one of a session for signing out", async () => {
    const { app } = await createTestSite()
    const { openPage, testBrowser: browser } = createClientPages(app)
    const page = openPage()
    await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })
    expect(browser.cookies.get(csrfCookieName)?.value).toBeDefined()
    expect(await page.signOut(withoutRedirect)).toMatchObject({ ok: true, kind: "signed-out" })
    expect(await page.getSession()).toBeNull()
  })
})

test("no token is sent with `skipCSRFCheck`, for frameworks with their own check", async () => {
  const { app } = await createTestSite({ skipCSRFCheck })
  const { openPage } = createClientPages(app)
  const page = openPage()
  expect(await page.getCsrfToken()).toBeUndefined()
  expect((await page.signIn("credentials", { ...withoutRedirect, ...validCredentials })).kind).toBe(
    "signed-in",
  )
  expect((await page.signOut(withoutRedirect)).kind).toBe("signed-out")
})
