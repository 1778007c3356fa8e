/** When a session was last used, which is written rarely and never delays a request. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { createRecordApp } from "../support/record-app.ts"

const start = Date.UTC(2030, 0, 1)
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }))
afterEach(() => void vi.useRealTimers())

describe.each(["jwt", "database"] as const)(
  "the last use of a session, strategy %s",
  (strategy) => {
    async function open() {
      const app = await createRecordApp({ strategy, records: { lastSeenInterval: 300 } })
      const first = app.startProcess()
      const update = vi.spyOn(first.adapter, "updateSessionRecord")
      const ada = await first.signIn()
      const read = async () => (await first.auth.sessions.list("user-ada"))[0]
      return { app, first, update, ada, read }
    }

    test("is recorded once in an interval, with the new end of the session", async () => {
      const { first, update, ada, read } = await open()
      const before = await read()
      for (const seconds of [1, 100, 299]) {
        vi.setSystemTime(start + seconds * 1000)
        expect(await first.check(ada)).toBe("ada")
      }
      expect(update).not.toHaveBeenCalled()
      expect(await read()).toEqual(before)
      vi.setSystemTime(start + 301_000)
      for (let i = 0; i < 3; i++) expect(await first.check(ada)).toBe("ada")
      expect(update).toHaveBeenCalledOnce()
      await expect.poll(async () => (await read())?.lastSeenAt).toEqual(new Date(start + 301_000))
      expect(Number((await read())?.expires) - Number(before?.expires)).toBe(301_000)
    })

    test("does not matter if it cannot be recorded", async () => {
      const { first, update, ada } = await open()
      vi.setSystemTime(start + 301_000)
      update.mockRejectedValueOnce(new Error("connect ECONNREFUSED"))
      expect(await first.check(ada)).toBe("ada")
      await expect.poll(() => first.log.errorCodes).toEqual(["AdapterError"])
      update.mockReturnValue(new Promise<never>(() => undefined))
      vi.setSystemTime(start + 602_000)
      expect(await first.check(ada)).toBe("ada")
    })

    test("gives a session whose record was lost a new one", async () => {
      const { app, first, ada, read } = await open()
      const before = await read()
      app.query('delete from "LatchkeySessionRecord"')
      vi.setSystemTime(start + 301_000)
      await first.check(ada)
      await expect.poll(read).toMatchObject({
        id: before?.id,
        userId: "user-ada",
        createdAt: new Date(start),
        authTime: new Date(start),
      })
    })

    test("does not bring the record of an ended session back", async () => {
      const { app, first, ada } = await open()
      const [session] = await first.auth.sessions.list("user-ada")
      vi.setSystemTime(start + 301_000)
      // A request that is under way while the session ends.
      const update = vi.spyOn(first.adapter, "updateSessionRecord").mockImplementation(async () => {
        await first.auth.sessions.revoke(session?.id ?? "")
        return false
      })
      await first.check(ada)
      await expect.poll(() => app.countRecords()).toBe(1)
      update.mockRestore()
      expect(await first.auth.sessions.list("user-ada")).toEqual([])
      expect(await first.auth.sessions.get(session?.id ?? "")).toBeNull()
      expect(await first.check(ada)).toBeNull()
    })
  },
)

describe.each(["jwt", "database"] as const)(
  "the record of a session that may be unused for minutes, strategy %s",
  (strategy) => {
    test.each([60, 300, 900])("outlasts the session: %i s", async (idleTimeout) => {
      const app = await createRecordApp({
        strategy,
        changes: { session: { idleTimeout, updateAge: 0 } },
        records: { lastSeenInterval: 300, pollInterval: 0 },
      })
      const process = app.startProcess()
      const ada = await process.signIn()
      const [session] = await process.auth.sessions.list("user-ada")
      // The last check comes just before a use would be recorded again, and the revocation just before the end.
      for (const share of [0.24, 0.26, 0.5, 0.74, 0.98, 1.9]) {
        vi.setSystemTime(start + idleTimeout * share * 1000)
        expect((await ada.getSession())?.user?.name).toBe("ada")
        await expect.poll(() => process.auth.sessions.list("user-ada")).toHaveLength(1)
      }
      vi.setSystemTime(start + idleTimeout * 2.8 * 1000)
      expect(await process.auth.sessions.revoke(session?.id ?? "")).toMatchObject({
        id: session?.id,
        provider: "credentials",
      })
      expect(await ada.getSession()).toBeNull()
    })
  },
)
