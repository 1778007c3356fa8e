/** Stores that notify of changes: processes refuse revoked sessions without asking. */
import type { SessionChange } from "@latchkey/core/adapters"
import { describe, expect, test, vi } from "vitest"
import { useFakeTimers } from "../support/fake-timers.ts"
import { createRecordApp, type RecordProcess } from "../support/record-app.ts"

/** Notifies the processes that watch of the changes that others store. */
function createNotifier() {
  const watches: {
    onChange: (change: SessionChange) => void
    onInterruption: (error?: unknown) => void
  }[] = []
  return {
    watches,
    connect({ adapter }: RecordProcess) {
      const { saveSessionChange } = adapter
      Object.assign(adapter, {
        async saveSessionChange(change: SessionChange) {
          await saveSessionChange(change)
          for (const { onChange } of watches) onChange(change)
        },
        watchSessionChanges: async (
          onChange: (change: SessionChange) => void,
          onInterruption: (error?: unknown) => void,
        ) => {
          watches.push({ onChange, onInterruption })
          return () => undefined
        },
      })
    },
  }
}

async function open() {
  const { advance } = useFakeTimers()
  const app = await createRecordApp({ strategy: "jwt", records: true })
  const [first, second] = [app.startProcess(), app.startProcess()]
  const notifier = createNotifier()
  for (const process of [first, second]) notifier.connect(process)
  const ada = await first.signIn()
  // The second read begins to watch, and the third one finds what was stored until then.
  for (let i = 0; i < 3; i++) {
    expect(await second.check(ada)).toBe("ada")
    await advance(1000)
  }
  const read = vi.spyOn(second.adapter, "listSessionChanges")
  const revoke = async () => {
    const [session] = await first.auth.sessions.list("user-ada")
    await first.auth.sessions.revoke(session?.id ?? "")
  }
  return { advance, first, second, ada, read, revoke, notifier }
}

describe("a process that is notified of changes", () => {
  test("refuses a revoked session at once, and asks rarely", async () => {
    const { advance, second, ada, read, revoke } = await open()
    for (let i = 0; i < 10; i++) {
      await advance(1000)
      expect(await second.check(ada)).toBe("ada")
    }
    expect(read).not.toHaveBeenCalled()
    await revoke()
    expect(await second.check(ada)).toBeNull()
    expect(read).not.toHaveBeenCalled()
    await advance(30_000)
    await second.check(ada)
    expect(read).toHaveBeenCalledOnce()
  })

  test("asks after a change that it cannot read, which ends no process", async () => {
    const { advance, second, ada, read, notifier } = await open()
    const dates = { changedAt: new Date(), expires: new Date("2100-01-01") }
    notifier.watches.at(-1)?.onChange({ key: "user ada", details: "no JSON", ...dates })
    await advance(1000)
    expect(await second.check(ada)).toBe("ada")
    expect(read).toHaveBeenCalledOnce()
  })

  test("asks while notifications are interrupted, and once more afterwards", async () => {
    const { advance, second, ada, read, revoke, notifier } = await open()
    const own = notifier.watches.pop()
    own?.onInterruption(new Error("the connection was lost"))
    await advance(1000)
    expect(await second.check(ada)).toBe("ada")
    expect(read).toHaveBeenCalledTimes(1)
    await revoke()
    own?.onInterruption()
    await advance(1000)
    expect(await second.check(ada)).toBeNull()
    expect(read).toHaveBeenCalledTimes(2)
    await advance(5000)
    await second.check(ada)
    expect(read).toHaveBeenCalledTimes(2)
  })

  test("asks if it cannot be notified, and tries again later", async () => {
    const { advance } = useFakeTimers()
    const app = await createRecordApp({ strategy: "jwt", records: true })
    const [first, second] = [app.startProcess(), app.startProcess()]
    const watch = vi.fn(() => Promise.reject(new Error("too many connections")))
    Object.assign(second.adapter, { watchSessionChanges: watch })
    const ada = await first.signIn()
    for (let i = 0; i < 20; i++) {
      await advance(1000)
      expect(await second.check(ada)).toBe("ada")
    }
    expect(watch).toHaveBeenCalledOnce()
    await advance(12_000)
    await second.check(ada)
    expect(watch).toHaveBeenCalledTimes(2)
    await first.auth.sessions.revokeAll("user-ada")
    await advance(1000)
    expect(await second.check(ada)).toBeNull()
  })
})

test("without notifications, a process asks at most once in `pollInterval`, however many requests there are", async () => {
  const { advance } = useFakeTimers()
  const app = await createRecordApp({ strategy: "jwt", records: true })
  const [first, second] = [app.startProcess(), app.startProcess()]
  const ada = await first.signIn()
  const read = vi.spyOn(second.adapter, "listSessionChanges")
  await Promise.all(Array.from({ length: 20 }, () => second.check(ada)))
  expect(read).toHaveBeenCalledTimes(1)
  await advance(400)
  await Promise.all(Array.from({ length: 20 }, () => second.check(ada)))
  expect(read).toHaveBeenCalledTimes(1)
  await first.auth.sessions.revokeAll("user-ada")
  await advance(600)
  const results = await Promise.all(Array.from({ length: 20 }, () => second.check(ada)))
  expect(new Set(results)).toEqual(new Set([null]))
  expect(read).toHaveBeenCalledTimes(2)
})

test("a revocation whose transaction commits minutes later is found within a minute", async () => {
  const { advance } = useFakeTimers()
  const app = await createRecordApp({ strategy: "jwt", records: true })
  const [first, second] = [app.startProcess(), app.startProcess()]
  const ada = await first.signIn()
  const { listSessionChanges } = second.adapter
  let isCommitted = false
  Object.assign(second.adapter, {
    listSessionChanges: async (since: Date) => (isCommitted ? listSessionChanges(since) : []),
  })
  await first.auth.sessions.revokeAll("user-ada")
  for (let i = 0; i < 30; i++) {
    expect(await second.check(ada)).toBe("ada")
    await advance(10_000)
  }
  isCommitted = true
  for (let i = 0; i < 6; i++) {
    await second.check(ada)
    await advance(10_000)
  }
  expect(await second.check(ada)).toBeNull()
})

test("a sign-in does not watch: applications may be configured anew for each request", async () => {
  const app = await createRecordApp({ strategy: "jwt" })
  const notifier = createNotifier()
  const process = app.startProcess()
  notifier.connect(process)
  const ada = await process.signIn()
  expect(notifier.watches).toEqual([])
  expect(await process.check(ada)).toBe("ada")
  expect(notifier.watches).toHaveLength(1)
})
