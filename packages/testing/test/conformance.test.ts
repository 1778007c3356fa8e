import { AssertionError } from "node:assert"
import {
  adapterCases,
  type ConformanceContext,
  testAdapterConformance,
} from "@latchkey/testing/adapters"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createMemoryAdapter } from "./memory-adapter.ts"
import { attemptFlaws } from "./support/attempt-flaws.ts"
import { factorFlaws } from "./support/factor-flaws.ts"
import type { Flaw } from "./support/flaw.ts"
import { flaws } from "./support/flaws.ts"
import { interruptionFlaws } from "./support/interruption-flaws.ts"
import { leaseFlaws } from "./support/lease-flaws.ts"
import { optionalMethodFlaws } from "./support/optional-method-flaws.ts"
import { processFlaws } from "./support/process-flaws.ts"
import { sessionRecordFlaws } from "./support/session-record-flaws.ts"
import { valueFlaws } from "./support/value-flaws.ts"

describe("a correct adapter passes", () => {
  testAdapterConformance({ test, connect: createMemoryAdapter, webauthn: true })
})

describe("a correct adapter with shared rows passes in any order", () => {
  const shared = createMemoryAdapter()
  for (const { name, run } of adapterCases.toReversed()) test(name, () => run(shared))
})

describe("an adapter with one flaw fails the case for it", () => {
  const namedCases = adapterCases.map((each) => [each.name, each] as const)
  test.concurrent.each(namedCases)("%s", async (name, each) => {
    const flaw = flaws[name]
    expect(flaw, "every case can fail").toBeDefined()
    const context = createFlawedContext(flaw ?? (() => ({})))
    const constraintError = /constraint failed/ // an error of the adapter itself
    await expect((async () => each.run(context))()).rejects.toSatisfy(
      (error) => error instanceof AssertionError || constraintError.test(String(error)),
    )
  })

  // Flaws of the basic methods make many other cases fail, too.
  const subtleFlaws = {
    ...optionalMethodFlaws,
    ...leaseFlaws,
    ...attemptFlaws,
    ...factorFlaws,
    ...sessionRecordFlaws,
    ...valueFlaws,
    ...processFlaws,
    ...interruptionFlaws,
  }
  const quickCases = adapterCases.filter(({ group }) => group !== "race")
  test.concurrent.each(Object.entries(subtleFlaws))("and no other case: %s", async (name, flaw) => {
    const failed: string[] = []
    const runs = quickCases.map((each) =>
      each.run(createFlawedContext(flaw)).catch(() => void failed.push(each.name)),
    )
    await Promise.all(runs)
    expect(failed).toEqual([name])
  })

  test("waiting forever after the connection breaks is a failure", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    onTestFinished(() => void vi.useRealTimers())
    const each = adapterCases.find(({ name }) => name.startsWith("getUser, interrupted"))
    const { adapter, ...others } = createMemoryAdapter()
    const getUser = (id: string) =>
      Promise.resolve(adapter.getUser(id)).catch(() => new Promise<never>(() => undefined))
    const run = each?.run({ ...others, adapter: { ...adapter, getUser } })
    await Promise.all([
      expect(run).rejects.toThrow("after the connection broke"),
      vi.advanceTimersByTimeAsync(4000),
    ])
  })

  test("every flaw has a case", () => {
    const names = adapterCases.map(({ name }) => name)
    expect(Object.keys(flaws).filter((name) => !names.includes(name))).toEqual([])
  })
})

/** Creates a context with a flawed adapter. */
function createFlawedContext(flaw: Flaw): ConformanceContext {
  const { adapter, ...others } = createMemoryAdapter()
  const { second = others.second, ...wrong } = flaw(adapter, others.db)
  return { ...others, second, adapter: { ...adapter, ...wrong } }
}

describe("the suite", () => {
  const registerCases = (options: object): string[] => {
    const names: string[] = []
    const test = (name: string): void => void names.push(name)
    testAdapterConformance({ test, connect: createMemoryAdapter, ...options })
    return names
  }

  test("covers every method of the adapter interface", () => {
    const names = adapterCases.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const uncovered = Object.keys(createMemoryAdapter().adapter).filter(
      (method) => !names.some((name) => name.includes(method)),
    )
    expect(uncovered).toEqual([])
  })

  test("omits passkeys by default, and skips the given cases", () => {
    expect(registerCases({}).some((name) => name.startsWith("updateAuthenticatorCounter"))).toBe(
      false,
    )
    const [first = ""] = registerCases({ webauthn: true })
    expect(registerCases({ skip: [first] })).not.toContain(first)
    expect(() => registerCases({ skip: ["no such case"] })).toThrow(TypeError)
  })

  test("reports why a case is skipped", async () => {
    const skipped: unknown[] = []
    const runs: (() => unknown)[] = []
    const { adapter, db } = createMemoryAdapter()
    const { listSessions: _, ...plain } = adapter
    testAdapterConformance({
      test: (_, run) => runs.push(() => run({ skip: (why: string) => skipped.push(why) })),
      connect: () => ({ adapter: plain, db }),
      skip: adapterCases.filter(({ group }) => group === "race").map(({ name }) => name),
    })
    for (const run of runs) await run()
    expect(new Set(skipped)).toEqual(
      new Set(["without listSessions", "without second", "without interrupt"]),
    )
    // A runner without `skip` reports nothing, and the case passes.
    testAdapterConformance({
      test: (_, run) => void runs.push(run),
      connect: () => ({ adapter, db }),
    })
    await runs.at(-1)?.()
  })

  test.each(["test", "it"])("finds the global %s of a test runner", (name) => {
    const names: string[] = []
    for (const other of ["test", "it"]) vi.stubGlobal(other, undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    expect(() => testAdapterConformance({ connect: createMemoryAdapter })).toThrow(
      "pass the `test` function",
    )
    vi.stubGlobal(name, (title: string) => void names.push(title))
    testAdapterConformance({ connect: createMemoryAdapter })
    expect(names).toEqual(registerCases({}))
  })

  test("connects for each case, and disconnects after it, even if it failed", async () => {
    const runs: (() => Promise<void>)[] = []
    const log: string[] = []
    testAdapterConformance({
      test: (_, run) => void runs.push(run),
      connect: () => {
        log.push("connect")
        const { adapter, db } = createMemoryAdapter()
        const good = log.length === 1
        return {
          adapter: good ? adapter : {},
          db,
          disconnect: () => void log.push("disconnect"),
        }
      },
    })
    await runs[0]?.()
    await expect(runs[1]?.()).rejects.toThrow(AssertionError)
    expect(log).toEqual(["connect", "disconnect", "connect", "disconnect"])
  })

  test("creates records with the fixtures", async () => {
    let count = 0
    const { adapter, ...others } = createMemoryAdapter()
    const seen: object[] = []
    const createdIds = new Set<string>()
    const numbered = {
      ...adapter,
      createUser: async (user: Parameters<typeof adapter.createUser>[0]) => {
        seen.push(user)
        if (!/^\d+$/.test(user.id)) throw new Error(`${user.id} is no number`)
        const created = await adapter.createUser(user)
        createdIds.add(created.id)
        return created
      },
      createSession: (session: Parameters<typeof adapter.createSession>[0]) => {
        seen.push(session)
        return adapter.createSession(session)
      },
      linkAccount: (account: Parameters<typeof adapter.linkAccount>[0]) => {
        seen.push(account)
        return adapter.linkAccount(account)
      },
      getUser: (id: string) => {
        if (!/^\d+$/.test(id) && !createdIds.has(id)) throw new Error(`${id} is no number`)
        return adapter.getUser(id)
      },
    }
    const fixtures = {
      id: () => {
        count += 1
        return String(count)
      },
      user: { tenant: "a" },
      session: { device: "phone" },
      account: { label: "work" },
    }
    const usesLibraryRecords = /first sign-ins/ // the library creates these records
    for (const { name, run } of adapterCases) {
      if (!usesLibraryRecords.test(name)) await run({ ...others, adapter: numbered, fixtures })
    }
    expect(seen.filter((record) => "email" in record && !("tenant" in record))).toEqual([])
    expect(seen.filter((record) => "sessionToken" in record && !("device" in record))).toEqual([])
    expect(seen).toContainEqual(expect.objectContaining({ tenant: "a" }))
    expect(seen).toContainEqual(expect.objectContaining({ device: "phone" }))
    expect(seen).toContainEqual(expect.objectContaining({ label: "work" }))
  })
})
