/** The guard that asks people to sign in again, and the choice to stay signed in. */
import { CompiledAuth, type CompiledAuthConfig } from "@latchkey/sveltekit"
import { createTestBrowser } from "@latchkey/testing"
import { isRedirect } from "@sveltejs/kit"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createApplication, createEvent } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const origin = "https://app.example"
const startTime = Date.parse("2027-01-01T00:00:00.000Z")
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

function openApplication(changes: Partial<CompiledAuthConfig> = {}) {
  const parts = CompiledAuth(createConfig({ session: { rememberMe: true }, ...changes }))
  const app = createApplication(parts, {
    "/base/account": (event) => parts.requireFreshSession(event, { maxAge: 600 }),
    "/base/invalid": (event) => parts.requireFreshSession(event, { maxAge: 0 }),
    "/signin": parts.signIn,
  })
  const user = createTestBrowser(app, { basePath: "/base/auth", now: () => 0 })
  return { ...parts, user }
}

const signInUrl = "/base/auth/signin?prompt=login&callbackUrl=%2Fbase%2Faccount%3Ftab%3D1"

describe("requireFreshSession", () => {
  test("redirects to the sign-in page and back, and then returns the session", async () => {
    const { user } = openApplication()
    const enter = () => user.fetch("/base/account?tab=1")
    const signedOut = await enter()
    expect(signedOut.status).toBe(303)
    expect(signedOut.headers.get("location")).toBe(signInUrl)
    await user.post("/signin", alice)
    expect(await (await enter()).json()).toMatchObject({ user: { name: "alice" } })
    vi.setSystemTime(startTime + 601_000)
    expect((await enter()).headers.get("location")).toBe(signInUrl)
    expect((await user.open(signInUrl)).status).toBe(200)
    const response = await user.post("/signin", { ...alice, redirectTo: "/base/account?tab=1" })
    expect(response.headers.get("location")).toBe("/base/account?tab=1")
    expect((await enter()).status).toBe(200)
  })

  test("leads back to the page whose data is requested", async () => {
    const { requireFreshSession } = openApplication()
    const request = new Request(`${origin}/base/account/__data.json?x-sveltekit-invalidated=01`)
    const url = new URL(`${origin}/base/account?tab=1`)
    const { event } = createEvent(request, { url, isDataRequest: true })
    const thrown = await requireFreshSession(event).catch((error: unknown) => error)
    expect(isRedirect(thrown) && thrown.location).toBe(signInUrl)
  })

  test.each([
    ["its page", `${origin}/base/settings`, "%2Fbase%2Fsettings"],
    ["the first page of the application", "https://evil.example/", "%2Fbase%2F"],
  ])("leads back from a form to %s", async (_, referer, callbackUrl) => {
    const { user } = openApplication()
    const response = await user.post("/base/account", {}, { headers: { referer } })
    expect(response.headers.get("location")).toBe(
      `/base/auth/signin?prompt=login&callbackUrl=${callbackUrl}`,
    )
  })

  test("redirects to the sign-in page of the application, also on another origin", async () => {
    for (const signIn of ["/welcome", "https://accounts.example/welcome"]) {
      const { user } = openApplication({ pages: { signIn } })
      const response = await user.fetch("/base/account")
      expect(response.headers.get("location")).toBe(
        `${signIn}?prompt=login&callbackUrl=%2Fbase%2Faccount`,
      )
    }
  })

  test.each(["//evil.example//path", "/\\evil.example/path"])(
    "never leads back to another origin, as from a catch-all route: %s",
    async (path) => {
      const { requireFreshSession } = openApplication({ pages: { signIn: "/welcome" } })
      const request = new Request(origin + path, { headers: { referer: "https://evil.example/" } })
      for (const method of ["GET", "POST"]) {
        const { event } = createEvent(new Request(request, { method }))
        const thrown = await requireFreshSession(event).catch((error: unknown) => error)
        const location = isRedirect(thrown) ? thrown.location : ""
        expect(location).toMatch(/^\/welcome\?/)
        const callbackUrl = new URL(location, origin).searchParams.get("callbackUrl") ?? ""
        expect(new URL(callbackUrl, origin).origin).toBe(origin)
      }
    },
  )

  test("refuses a `maxAge` with which nobody could pass", async () => {
    await expect(openApplication().user.fetch("/base/invalid")).rejects.toThrow(TypeError)
  })
})

test("the form of a page can choose to stay signed in", async () => {
  const { user } = openApplication()
  for (const rememberMe of ["true", "false"]) {
    await user.post("/signin", { ...alice, rememberMe })
    const line = user.setCookieHeaders.find((each) => each.includes("session-token=")) ?? ""
    expect(/expires/i.test(line)).toBe(rememberMe === "true")
  }
})
