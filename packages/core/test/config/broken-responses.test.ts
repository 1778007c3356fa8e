/** What a request is answered while the configuration is broken (protocol 9.4). */
import type { AuthConfig } from "@latchkey/core"
import { describe, expect, test } from "vitest"
import { one } from "../pages-markup.ts"
import { ask, bareSite, home } from "../support/front-door.ts"

const pageActions = ["signin", "signout", "error", "verify-request"]
const dataActions = ["csrf", "providers", "session", "callback", "webauthn-options"]
const brokenSite = (changes: Partial<AuthConfig> = {}) => bareSite({ secret: "", ...changes })

async function expectJson(answer: Response): Promise<void> {
  expect(answer.status).toBe(500)
  expect(answer.headers.get("content-type")).toBe("application/json")
  expect(answer.headers.get("location")).toBeNull()
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(await answer.json()).toEqual({
    message:
      "There was a problem with the server configuration. Check the server logs for more information.",
  })
}

async function expectPage(answer: Response): Promise<void> {
  expect(answer.status).toBe(500)
  expect(answer.headers.get("content-type")).toMatch("text/html")
  expect(answer.headers.get("cache-control")).toMatch("no-store")
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(one(await answer.text(), "h1").text).toBe("Server error")
}

describe("a broken configuration", () => {
  test.each(dataActions)("answers GET %s with 500 and a message for scripts", async (action) => {
    const { config } = brokenSite({ pages: { error: "/oops" } })
    await expectJson(await ask(config, `/auth/${action}`))
  })

  test.each([...pageActions, ...dataActions])("answers POST %s the same way", async (action) => {
    const { config } = brokenSite({ pages: { error: "/oops" } })
    await expectJson(await ask(config, `/auth/${action}`, { method: "POST" }))
  })

  test.each(pageActions)("answers GET %s with the error page", async (action) => {
    await expectPage(await ask(brokenSite().config, `/auth/${action}`))
  })

  test.each(pageActions)("leads GET %s to the error page of the application", async (action) => {
    for (const [error, to] of [
      ["/oops", `${home}/oops?error=Configuration`],
      ["/oops?lang=en", `${home}/oops?lang=en&error=Configuration`],
      ["https://errors.example/x", "https://errors.example/x?error=Configuration"],
    ] as const) {
      const answer = await ask(brokenSite({ pages: { error } }).config, `/auth/${action}`)
      expect([answer.status, answer.headers.get("location")]).toEqual([302, to])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
  })

  test.each([
    ["/oops", "/oops"],
    ["/oops", "/oops?error=Configuration"],
    ["/oops", `${home}/oops`],
    ["https://app.example/oops", "/oops"],
    ["https://errors.example/x", "https://errors.example/x?y"],
  ])("breaks the loop of an error page %s that asks to sign in: %s", async (error, callbackUrl) => {
    const { config, log } = brokenSite({ pages: { error } })
    const query = new URLSearchParams({ callbackUrl })
    for (const action of pageActions) {
      await expectPage(await ask(config, `/auth/${action}?${query}`))
    }
    expect(log.errors.filter((code) => code === "ErrorPageLoop")).toHaveLength(pageActions.length)
  })

  test.each(["/home", "https://[bad", "https://evil.example/oops", "javascript:alert(1)"])(
    "sees no loop in %s",
    async (callbackUrl) => {
      const { config, log } = brokenSite({ pages: { error: "/oops" } })
      const query = new URLSearchParams({ callbackUrl })
      const answer = await ask(config, `/auth/signin?${query}`)
      expect(answer.headers.get("location")).toBe(`${home}/oops?error=Configuration`)
      expect(log.errors).not.toContain("ErrorPageLoop")
    },
  )

  test("says nothing of what is wrong to anybody but the log", async () => {
    const { config, log } = brokenSite({ trustHost: false })
    for (const action of [...pageActions, ...dataActions]) {
      const text = await (await ask(config, `/auth/${action}`)).text()
      expect(text).not.toMatch(/secret|trustHost|AUTH_/i)
    }
    expect(log.errors).toContain("MissingSecret")
    expect(log.errors).toContain("UntrustedHost")
  })

  test("still knows a bad request", async () => {
    const { config } = brokenSite()
    expect((await ask(config, "/auth/nothing")).status).toBe(400)
    expect((await ask(config, "/auth/session", { method: "PUT" })).status).toBe(400)
  })
})
