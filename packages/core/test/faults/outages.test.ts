/** Whatever breaks, nobody gets in, nobody is signed out, and the next attempt succeeds: promise 1 of the plan. */
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import nodemailer from "@latchkey/core/providers/nodemailer"
import {
  assertRefused,
  type Browser,
  type Hazard,
  mailbox,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { application } from "../support/application.ts"
import { world } from "../support/world.ts"

/** Everything that the library calls: each part breaks by name. */
async function machine() {
  const broken = new Set<string>()
  const work = <T>(part: string, result: T): T => {
    if (broken.has(part)) throw new Error(`${part} is down: internal detail`)
    return result
  }
  const provider = await scriptedProvider({ id: "work" })
  const box = await mailbox()
  onTestFinished(() => box.close())
  const stored = await world()
  await stored.user({ id: "carl", name: "Carl", email: "carl@example.com" })
  const mail = nodemailer({ server: box.server, from: "hello@app.example" })
  const served = application({
    adapter: stored.adapter,
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
  const ways: Record<string, (who: Browser) => Promise<Response>> = {
    provider: (who) => who.signIn(provider),
    link: async (who) => {
      const asked = await who.signIn("nodemailer", { email: "ada@example.com" })
      return asked.headers.get("location")?.includes("error=") ? asked : who.open(box.latestLink())
    },
    password: (who) => who.signIn("credentials"),
  }
  return { ...stored, ...served, broken, provider, box, ways }
}

type Machine = Awaited<ReturnType<typeof machine>>

/** Breaks something; a stranger stays out, a person stays in; mends it; both get in. */
async function expectSafe(at: Machine, way: string, breakIt: () => void, mendIt: () => void) {
  const enter = at.ways[way] ?? expect.unreachable(way)
  const [stranger, carl] = [at.visitor(), at.visitor()]
  await at.ways["password"]?.(carl)
  const before = at.counts().slice(0, 3)
  breakIt()
  for (const who of [stranger, carl]) {
    const answer = await enter(who)
    assertRefused(answer)
    expect([...answer.headers].join() + (await answer.text())).not.toContain("internal detail")
  }
  mendIt()
  expect(at.counts().slice(0, 3)).toEqual(before)
  expect(await stranger.session()).toBeNull()
  expect(await carl.session()).toMatchObject({ user: { name: "Carl" } })
  await enter(stranger)
  expect(await stranger.session()).not.toBeNull()
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
  ])("(%s) lets nobody in by %s, and signs nobody out", async (part, way) => {
    const at = await machine()
    await expectSafe(
      at,
      way,
      () => void at.broken.add(part),
      () => at.broken.clear(),
    )
  })

  test("(the `session` callback) gives out no session, and signs nobody out", async () => {
    const at = await machine()
    const carl = at.visitor()
    await at.ways["password"]?.(carl)
    at.broken.add("session")
    const answer = await carl.fetch("/auth/session")
    expect(answer.status).toBe(503)
    expect(await answer.text()).not.toContain("internal detail")
    at.broken.clear()
    expect(await carl.session()).not.toBeNull()
  })
})

describe("an outage of the database", () => {
  test.each(["provider", "link", "password"])(
    "lets nobody in by %s, and signs nobody out",
    async (way) => {
      const at = await machine()
      const down = new Error("internal detail: cannot connect")
      await expectSafe(at, way, () => at.failAll(down), at.mend)
    },
  )

  test("refuses a sign-out, which succeeds afterwards", async () => {
    const at = await machine()
    const carl = at.visitor()
    await at.ways["password"]?.(carl)
    at.failAll()
    assertRefused(await carl.signOut())
    at.mend()
    expect(await carl.session()).not.toBeNull()
    await carl.signOut()
    expect(await carl.session()).toBeNull()
  })
})

test.each(["reject-sender", "reject-message", "drop"] as const)(
  "an outage of the mail server (%s) lets nobody in, and signs nobody out",
  async (fault) => {
    const at = await machine()
    await expectSafe(
      at,
      "link",
      () => at.box.misbehave(fault),
      () => at.box.behave(),
    )
  },
)

test.each<Hazard>(["network-error", "redirect", "oversized"])(
  "an outage of the provider (%s) lets nobody in, and signs nobody out",
  async (hazard) => {
    const at = await machine()
    await expectSafe(
      at,
      "provider",
      () => at.provider.answer("token", hazard),
      () => at.provider.answer("token", undefined),
    )
  },
)

test("an outage is never taken for a wrong password", async () => {
  const at = await machine()
  at.broken.add("authorize")
  const answer = await at.ways["password"]?.(at.visitor())
  expect(answer?.headers.get("location")).not.toContain(CredentialsSignin.type)
})
