import nodemailer from "@latchkey/core/providers/nodemailer"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import {
  assertRefused,
  errorOf,
  mailbox,
  mintSessionCookies,
  scriptedProvider,
  withClock,
} from "@latchkey/testing"
import { describe, expect, onTestFinished, test } from "vitest"
import { configuration, visitorOf } from "./support/doors.ts"

test("the clock stands still at another time, and goes on afterwards", async () => {
  const before = Date.now()
  const seen = await withClock(new Date("2031-01-01T00:00:00Z"), async () => {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return [Date.now(), new Date().toISOString(), new Date(0).getTime(), new Date() instanceof Date]
  })
  expect(seen).toEqual([Date.UTC(2031, 0), "2031-01-01T00:00:00.000Z", 0, true])
  expect(Date.now()).toBeGreaterThanOrEqual(before)
  await expect(withClock(0, () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(Date.now()).toBeGreaterThanOrEqual(before)
})

describe("the clock moves", () => {
  const minute = 60_000
  const later = (minutes: number, run: () => Promise<unknown>) =>
    withClock(Date.now() + minutes * minute, run)

  async function adapter() {
    const database = openSqlite(":memory:")
    onTestFinished(() => database.close())
    await migrate(database)
    return SqlAdapter(database)
  }

  test.each(["jwt", "database"] as const)("sessions: %s", async (strategy) => {
    const session = { strategy, maxAge: 3600, updateAge: 1800 }
    const config = configuration([], { adapter: await adapter(), session })
    const visitor = visitorOf(config)
    const { setCookies } = await mintSessionCookies(
      config,
      { name: "Ada" },
      { url: visitor.origin },
    )
    visitor.receive(setCookies)
    await later(20, async () => {
      expect(await visitor.session()).not.toBeNull()
      expect(visitor.setCookies.filter((line) => /session-token/.test(line))).toEqual([])
    })
    await later(40, async () => {
      await visitor.session()
      expect(visitor.setCookies.filter((line) => /session-token/.test(line))).toHaveLength(1)
    })
    await later(90, async () => expect(await visitor.session()).not.toBeNull())
    await later(190, async () => expect(await visitor.session()).toBeNull())
  })

  test("links", async () => {
    await using box = await mailbox()
    const mail = nodemailer({ server: box.server, from: "door@app.example", maxAge: 600 })
    const visitor = visitorOf(configuration([mail], { adapter: await adapter() }))
    const link = async () => {
      await visitor.signIn("nodemailer", { email: "ada@example.com" })
      await box.next()
      return box.latestLink()
    }
    const [one, two] = [await link(), await link()]
    await later(11, async () => expect(errorOf(await visitor.open(one))).toBe("Verification"))
    await later(9, async () => expect(errorOf(await visitor.open(two))).toBeNull())
  })

  test("sign-ins under way", async () => {
    const provider = await scriptedProvider()
    const visitor = visitorOf(configuration([provider.asOidc()]))
    const [one, two] = [await visitor.begin(provider), await visitor.begin(provider)]
    const answer = (url: URL) => visitor.open(provider.approve(url))
    await later(14, async () => expect(errorOf(await answer(one))).toBeNull())
    await later(16, async () => assertRefused(await answer(two)))
  })
})
