/** The guard that asks people to sign in again, and the choice to stay signed in. */
import { type ReactiveAuthConfig, requireFreshSession, signIn } from "@latchkey/solid-start"
import { createTestBrowser } from "@latchkey/testing"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createApplication } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

const origin = "https://app.example"
const startTime = Date.parse("2027-01-01T00:00:00.000Z")
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

function openApplication(changes: Partial<ReactiveAuthConfig> = {}) {
  const config = createConfig({ session: { rememberMe: true }, ...changes })
  const app = createApplication(config, {
    "/account": (event) => requireFreshSession(event, config, { maxAge: 600 }),
    "/_server": ({ request }) => requireFreshSession(request, config, { maxAge: 600 }),
    "/enter": async ({ request }) => signIn(config, new URLSearchParams(await request.text())),
  })
  return createTestBrowser(app, { basePath: "/api/auth", now: () => 0 })
}

const signInPath = "/api/auth/signin?prompt=login&callbackUrl=%2Faccount%3Ftab%3D1"
const fields = { providerId: "credentials", ...alice }

describe("requireFreshSession", () => {
  test("redirects to the sign-in page and back, and then returns the session", async () => {
    const user = openApplication()
    const enter = () => user.fetch("/account?tab=1")
    const signedOut = await enter()
    expect(signedOut.status).toBe(303)
    expect(signedOut.headers.get("location")).toBe(origin + signInPath)
    await user.post("/enter", fields)
    expect(await (await enter()).json()).toMatchObject({ user: { name: "alice" } })
    vi.setSystemTime(startTime + 601_000)
    expect((await enter()).headers.get("location")).toBe(origin + signInPath)
    expect((await user.open(signInPath)).status).toBe(200)
    await user.post("/enter", fields)
    expect((await enter()).status).toBe(200)
  })

  test.each(["GET", "POST"])(
    "leads back to the page from which a script calls a server function by %s",
    async (method) => {
      const user = openApplication()
      const headers = {
        "x-server-id": "a",
        "x-server-instance": "b",
        referer: `${origin}/account?tab=1`,
      }
      const response = await user.fetch("/_server?id=a", { method, headers })
      // In full, because the router of the browser has no such page.
      expect(response.headers.get("location")).toBe(origin + signInPath)
    },
  )

  test("returns the path of a page of the application to the router", async () => {
    const user = openApplication({ pages: { signIn: "/welcome" } })
    const headers = { "x-server-id": "a", "x-server-instance": "b", referer: `${origin}/account` }
    const response = await user.fetch("/_server?id=a", { headers })
    expect(response.headers.get("location")).toBe("/welcome?prompt=login&callbackUrl=%2Faccount")
  })

  test("leads to the start page from a form of another site", async () => {
    const headers = { referer: "https://evil.example/" }
    const response = await openApplication().post("/account", {}, { headers })
    expect(response.headers.get("location")).toMatch(/callbackUrl=%2F$/)
  })
})

test("a form can choose to stay signed in", async () => {
  const user = openApplication()
  for (const rememberMe of ["true", "false"]) {
    await user.post("/enter", { ...fields, rememberMe })
    const line = user.setCookieHeaders.find((each) => each.includes("session-token=")) ?? ""
    expect(/expires/i.test(line)).toBe(rememberMe === "true")
  }
})
