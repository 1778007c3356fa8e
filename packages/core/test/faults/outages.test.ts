/** Whatever fails, nobody is signed in or out by it, and the next attempt succeeds: promise 1 of the plan. */
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import {
  assertRefused,
  createMailbox,
  createScriptedProvider,
  type TestBrowser,
  type TransportFault,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { createTestApp } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

/** Everything that the library calls: each part breaks by name. */
async function createBreakableApp() {
  const broken = new Set<string>()
  const work = <T>(part: string, result: T): T => {
    if (broken.has(part)) throw new Error(`${part} is down: internal detail`)
    return result
  }
  const provider = await createScriptedProvider({ id: "work" })
  const inbox = await createMailbox()
  onTestFinished(() => inbox.close())
  const database = await createTestDatabase()
  await database.createUser({ id: "carl", name: "Carl", email: "carl@example.com" })
  const mail = nodemailer({ server: inbox.server, from: "hello@app.example" })
  const app = createTestApp({
    adapter: database.adapter,
    providers: [
      provider.asOidc({
        profile: (claims: { sub: string; email: string }) =>
          work("profile", { id: claims.sub, email: claims.email }),
      }),
      { ...mail, generateVerificationToken: () => work("token", crypto.randomUUID()) },
      credentials({ authorize: () => work("authorize", { id: "carl" }) }),
    ],
    callbacks: {
      signIn: () => work("signIn", true),
      session: ({ session }) => work("session", session),
    },
    rateLimit: () => work("rateLimit", true),
  })
  const ways: Record<string, (browser: TestBrowser) => Promise<Response>> = {
    provider: (browser) => browser.signIn(provider),
    link: async (browser) => {
      const asked = await browser.signIn("nodemailer", { email: "ada@example.com" })
      return asked.headers.get("location")?.includes("error=")
        ? asked
        : browser.open(inbox.getLatestLink())
    },
    password: (browser) => browser.signIn("credentials"),
  }
  return { ...database, ...app, broken, provider, box: inbox, ways }
}

type BreakableApp = Awaited<ReturnType<typeof createBreakableApp>>

/** Causes a fault: new sign-ins fail and existing sessions remain; after the repair, both work. */
async function expectSafe(
  app: BreakableApp,
  way: string,
  startOutage: () => void,
  endOutage: () => void,
) {
  const enter = app.ways[way] ?? expect.unreachable(way)
  const [stranger, carl] = [app.openBrowser(), app.openBrowser()]
  await app.ways["password"]?.(carl)
  const before = app.countRows().slice(0, 3)
  startOutage()
  for (const browser of [stranger, carl]) {
    const response = await enter(browser)
    assertRefused(response)
    expect([...response.headers].join() + (await response.text())).not.toContain("internal detail")
  }
  endOutage()
  expect(app.countRows().slice(0, 3)).toEqual(before)
  expect(await stranger.getSession()).toBeNull()
  expect(await carl.getSession()).toMatchObject({ user: { name: "Carl" } })
  await enter(stranger)
  expect(await stranger.getSession()).not.toBeNull()
}

describe("an outage of application code", () => {
  test.each([
    ["signIn", "provider"],
    ["signIn", "link"],
    ["signIn", "password"],
    ["rateLimit", "link"],
    ["rateLimit", "password"],
    ["profile", "provider"],
    ["token", "link"],
    ["authorize", "password"],
  ])("(%s) signs nobody in by %s, and signs nobody out", async (part, way) => {
    const app = await createBreakableApp()
    await expectSafe(
      app,
      way,
      () => void app.broken.add(part),
      () => app.broken.clear(),
    )
  })

  test("(the `session` callback) returns no session, and signs nobody out", async () => {
    const app = await createBreakableApp()
    const carl = app.openBrowser()
    await app.ways["password"]?.(carl)
    app.broken.add("session")
    const response = await carl.fetch("/auth/session")
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain("internal detail")
    app.broken.clear()
    expect(await carl.getSession()).not.toBeNull()
  })
})

describe("an outage of the database", () => {
  test.each(["provider", "link", "password"])(
    "signs nobody in by %s, and signs nobody out",
    async (way) => {
      const app = await createBreakableApp()
      const down = new Error("internal detail: cannot connect")
      await expectSafe(app, way, () => app.failAllMethods(down), app.clearFaults)
    },
  )

  test("refuses a sign-out, which succeeds afterwards", async () => {
    const app = await createBreakableApp()
    const carl = app.openBrowser()
    await app.ways["password"]?.(carl)
    app.failAllMethods()
    assertRefused(await carl.signOut())
    app.clearFaults()
    expect(await carl.getSession()).not.toBeNull()
    await carl.signOut()
    expect(await carl.getSession()).toBeNull()
  })
})

test.each(["reject-sender", "reject-message", "drop"] as const)(
  "an outage of the mail server (%s) signs nobody in, and signs nobody out",
  async (fault) => {
    const app = await createBreakableApp()
    await expectSafe(
      app,
      "link",
      () => app.box.injectFault(fault),
      () => app.box.clearFault(),
    )
  },
)

test.each<TransportFault>(["network-error", "redirect", "oversized"])(
  "an outage of the provider (%s) signs nobody in, and signs nobody out",
  async (hazard) => {
    const app = await createBreakableApp()
    await expectSafe(
      app,
      "provider",
      () => app.provider.overrideEndpoint("token", hazard),
      () => app.provider.overrideEndpoint("token", undefined),
    )
  },
)

test("an outage is never reported as a wrong password", async () => {
  const app = await createBreakableApp()
  app.broken.add("authorize")
  const response = await app.ways["password"]?.(app.openBrowser())
  expect(response?.headers.get("location")).not.toContain(CredentialsSignin.type)
})
