/** The responses while the configuration is invalid (protocol 9.4). */
import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { findElement } from "../support/html-parser.ts"
import { createMinimalSite, sendRequest, siteOrigin } from "../support/test-site.ts"

const pageActions = ["signin", "signout", "error", "verify-request"]
const dataActions = ["csrf", "providers", "session", "callback", "webauthn-options"]
const createBrokenSite = (changes: Partial<AuthConfig> = {}) =>
  createMinimalSite({ secret: "", ...changes })

async function expectJson(response: Response): Promise<void> {
  expect(response.status).toBe(500)
  expect(response.headers.get("content-type")).toBe("application/json")
  expect(response.headers.get("location")).toBeNull()
  expect(response.headers.getSetCookie()).toEqual([])
  expect(await response.json()).toEqual({
    message:
      "There was a problem with the server configuration. Check the server logs for more information.",
  })
}

async function expectErrorPage(response: Response): Promise<void> {
  expect(response.status).toBe(500)
  expect(response.headers.get("content-type")).toMatch("text/html")
  expect(response.headers.get("cache-control")).toMatch("no-store")
  expect(response.headers.getSetCookie()).toEqual([])
  expect(findElement(await response.text(), "h1").text).toBe("Sign-in is unavailable")
}

describe("an invalid configuration", () => {
  test.each(dataActions)("answers GET %s with status 500 and JSON", async (action) => {
    const { config } = createBrokenSite({ pages: { error: "/oops" } })
    await expectJson(await sendRequest(config, `/auth/${action}`))
  })

  test.each([...pageActions, ...dataActions])("answers POST %s the same way", async (action) => {
    const { config } = createBrokenSite({ pages: { error: "/oops" } })
    await expectJson(await sendRequest(config, `/auth/${action}`, { method: "POST" }))
  })

  test.each(pageActions)("answers GET %s with the error page", async (action) => {
    await expectErrorPage(await sendRequest(createBrokenSite().config, `/auth/${action}`))
  })

  test.each(pageActions)(
    "redirects GET %s to the error page of the application",
    async (action) => {
      for (const [error, to] of [
        ["/oops", `${siteOrigin}/oops?error=Configuration`],
        ["/oops?lang=en", `${siteOrigin}/oops?lang=en&error=Configuration`],
        ["https://errors.example/x", "https://errors.example/x?error=Configuration"],
      ] as const) {
        const response = await sendRequest(
          createBrokenSite({ pages: { error } }).config,
          `/auth/${action}`,
        )
        expect([response.status, response.headers.get("location")]).toEqual([302, to])
        expect(response.headers.getSetCookie()).toEqual([])
      }
    },
  )

  test.each([
    ["/oops", "/oops"],
    ["/oops", "/oops?error=Configuration"],
    ["/oops", `${siteOrigin}/oops`],
    ["https://app.example/oops", "/oops"],
    ["https://errors.example/x", "https://errors.example/x?y"],
  ])(
    "shows the built-in page if the error page %s requires a sign-in: %s",
    async (error, callbackUrl) => {
      const { config, log } = createBrokenSite({ pages: { error } })
      const query = new URLSearchParams({ callbackUrl })
      for (const action of pageActions) {
        await expectErrorPage(await sendRequest(config, `/auth/${action}?${query}`))
      }
      expect(log.errorCodes.filter((code) => code === "ErrorPageLoop")).toHaveLength(
        pageActions.length,
      )
    },
  )

  test.each(["/home", "https://[bad", "https://evil.example/oops", "javascript:alert(1)"])(
    "does not mistake %s for a redirect loop",
    async (callbackUrl) => {
      const { config, log } = createBrokenSite({ pages: { error: "/oops" } })
      const query = new URLSearchParams({ callbackUrl })
      const response = await sendRequest(config, `/auth/signin?${query}`)
      expect(response.headers.get("location")).toBe(`${siteOrigin}/oops?error=Configuration`)
      expect(log.errorCodes).not.toContain("ErrorPageLoop")
    },
  )

  test("reports the problems in the log only", async () => {
    const { config, log } = createBrokenSite({ trustHost: false })
    for (const action of [...pageActions, ...dataActions]) {
      const text = await (await sendRequest(config, `/auth/${action}`)).text()
      expect(text).not.toMatch(/secret|trustHost|AUTH_/i)
    }
    expect(log.errorCodes).toContain("MissingSecret")
    expect(log.errorCodes).toContain("UntrustedHost")
  })

  test("answers an unknown path with status 400, and every method with 500", async () => {
    const { config } = createBrokenSite()
    expect((await sendRequest(config, "/auth/nothing")).status).toBe(400)
    expect((await sendRequest(config, "/auth/session", { method: "PUT" })).status).toBe(500)
  })
})
