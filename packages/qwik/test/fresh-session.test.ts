/** The guard that asks people to sign in again, and the choice to stay signed in. */
import { type ResumableAuthConfig, requireFreshSession } from "@latchkey/qwik"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { openTestApplication, type QwikEvent } from "./support/application.ts"
import { alice, createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

type TestEvent = QwikEvent & {
  json(status: number, data: unknown): void
  redirect(status: number, url: string): unknown
}

const origin = "http://app.example"
const startTime = Date.parse("2027-01-01T00:00:00.000Z")
beforeEach(() => vi.useFakeTimers({ toFake: ["Date"], now: startTime }))
afterEach(() => vi.useRealTimers())

const aliceFields = {
  providerId: "credentials",
  "options.user": alice.user,
  "options.password": alice.password,
}

const guard = async (event: TestEvent) =>
  event.json(200, await requireFreshSession(event, { maxAge: 600 }))

const openApplication = (changes: Partial<ResumableAuthConfig> = {}) =>
  openTestApplication({
    config: createConfig({ session: { rememberMe: true }, ...changes }),
    routes: {
      "/account": { onRequest: guard, default: () => undefined },
      "/endpoint": { onRequest: guard },
    },
  })

const signInUrl = "/auth/signin?prompt=login&callbackUrl=%2Faccount%3Ftab%3D1"

describe("requireFreshSession", () => {
  test("redirects to the sign-in page and back, and then returns the session", async () => {
    const { visitor, signIn } = openApplication()
    const enter = () => visitor.fetch("/account?tab=1")
    const signedOut = await enter()
    expect(signedOut.status).toBe(303)
    expect(signedOut.headers.get("location")).toBe(signInUrl)
    await signIn(aliceFields)
    expect(await (await enter()).json()).toMatchObject({ user: { name: "alice" } })
    vi.setSystemTime(startTime + 601_000)
    expect((await enter()).headers.get("location")).toBe(signInUrl)
    expect((await visitor.open(signInUrl)).status).toBe(200)
    await signIn(aliceFields)
    expect((await enter()).status).toBe(200)
  })

  test("leads back to the page whose data the router requests", async () => {
    const { visitor } = openApplication()
    const response = await visitor.fetch("/account/q-data.json?tab=1")
    // Qwik requests the data of the sign-in page next, which has none: then the browser loads the page.
    const location = response.headers.get("location") ?? ""
    expect(location).toBe(signInUrl.replace("?", "/q-data.json?"))
    expect((await visitor.fetch(location)).headers.get("location")).toBe(signInUrl)
  })

  test.each([
    ["its page", `${origin}/settings`, "%2Fsettings"],
    ["the start page", "https://evil.example/", "%2F"],
  ])("leads back from a form to %s", async (_, referer, callbackUrl) => {
    const { visitor } = openApplication()
    const response = await visitor.post("/endpoint", {}, { headers: { referer } })
    expect(response.headers.get("location")).toBe(
      `/auth/signin?prompt=login&callbackUrl=${callbackUrl}`,
    )
  })

  test("redirects to the sign-in page of the application", async () => {
    const { visitor } = openApplication({ pages: { signIn: "/welcome" } })
    expect((await visitor.fetch("/account")).headers.get("location")).toBe(
      "/welcome?prompt=login&callbackUrl=%2Faccount",
    )
  })
})

test("a form can choose to stay signed in", async () => {
  const { visitor, signIn } = openApplication()
  for (const rememberMe of ["true", "false"]) {
    await signIn({ ...aliceFields, "options.rememberMe": rememberMe })
    const line = visitor.setCookieHeaders.find((each) => each.includes("session-token=")) ?? ""
    expect(/expires/i.test(line)).toBe(rememberMe === "true")
  }
})
