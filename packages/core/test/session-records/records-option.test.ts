/** `session.records`: what it needs, and what it must not cost without it. */
import { createAuth } from "@latchkey/core"
import { createSessionReader } from "@latchkey/core/session-reader"
import { createTestSession } from "@latchkey/testing/session"
import { describe, expect, test, vi } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"
import { createRecordApp, pageUrl, readCookies, testSecret } from "../support/record-app.ts"

const methods = [
  "saveSessionRecord",
  "getSessionRecord",
  "listSessionRecords",
  "findSessionRecords",
  "updateSessionRecord",
  "deleteSessionRecord",
  "saveSessionChange",
  "listSessionChanges",
]

const base = { secret: testSecret, trustHost: true, providers: [] }

/** Returns the problem of a configuration, as a session check throws it. */
const getProblem = (auth: Pick<ReturnType<typeof createAuth>, "getSession">): Promise<unknown> =>
  auth.getSession({ headers: new Headers(), url: pageUrl }).then(
    () => undefined,
    (error: unknown) => error,
  )

describe("a configuration with session records", () => {
  test.each(["jwt", "database"] as const)("needs their methods, strategy %s", async (strategy) => {
    const app = await createRecordApp({ strategy })
    const { adapter } = app.startProcess()
    const needed = strategy === "database" ? [...methods, "listSessions"] : methods
    for (const name of [...needed, "watchSessionChanges", "deleteSessions"]) {
      const { logger } = createMemoryLog()
      const incomplete = { ...adapter, [name]: undefined }
      const session = { strategy, records: true }
      const problem = await getProblem(
        createAuth({ ...base, logger, adapter: incomplete, session }),
      )
      const expected = { type: "MissingAdapterMethods", cause: { methods: [name] } }
      if (needed.includes(name)) expect([name, problem]).toMatchObject([name, expected])
      else expect([name, problem]).toEqual([name, undefined])
    }
  })

  test("is told which option of an adapter adds them", async () => {
    const { adapter } = (await createRecordApp({ strategy: "jwt" })).startProcess()
    const { logger } = createMemoryLog()
    const { saveSessionRecord: _, ...store } = adapter
    const auth = createAuth({ ...base, logger, adapter: store, session: { records: true } })
    expect(await getProblem(auth)).toMatchObject({
      message: expect.stringContaining("`sessionRecords: true`"),
    })
  })

  test.each([
    ["records", { pollInterval: "1", network: true }, 'pollInterval: "1"'],
    ["records", { pollIntervall: 1, deviceLabel: "" }, 'pollIntervall: 1, deviceLabel: ""'],
    ["rememberMe", { default: "yes" }, 'default: "yes"'],
    ["rememberMe", { temporaryMaxAge: 0.5 }, "temporaryMaxAge: 0.5"],
    ["rememberMe", "yes", '"yes"'],
  ])("is told which part of `session.%s` is wrong: %o", async (option, value, received) => {
    const { adapter } = (await createRecordApp({ strategy: "jwt" })).startProcess()
    const { logger } = createMemoryLog()
    const session: object = { [option]: value }
    expect(await getProblem(createAuth({ ...base, logger, adapter, session }))).toMatchObject({
      type: "InvalidOption",
      cause: { option: `session.${option}`, received },
    })
  })

  test("needs a store", async () => {
    const { logger } = createMemoryLog()
    const auth = createAuth({ ...base, logger, session: { records: true } })
    expect(await getProblem(auth)).toMatchObject({
      type: "MissingAdapter",
      cause: { option: "session.records" },
    })
  })

  test("cannot find database sessions by hashes of their tokens", async () => {
    const app = await createRecordApp({ strategy: "database" })
    const { adapter } = app.startProcess()
    const open = (strategy: "jwt" | "database") => {
      const hashing = { ...adapter, hashesSessionTokens: true }
      const { logger } = createMemoryLog()
      return createAuth({ ...base, logger, adapter: hashing, session: { strategy, records: true } })
    }
    expect(await getProblem(open("jwt"))).toBeUndefined()
    expect(await getProblem(open("database"))).toMatchObject({
      type: "InvalidOption",
      cause: { option: "session.records" },
    })
  })

  test("can keep them elsewhere than users", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const { adapter } = app.startProcess()
    const { auth, signIn, check } = app.startProcess({
      adapter: undefined as never,
      session: { strategy: "jwt", records: { store: adapter, pollInterval: 0 } },
    })
    const ada = await signIn()
    const [session] = await auth.sessions.list("user-ada")
    await auth.sessions.revoke(session?.id ?? "")
    expect(await check(ada)).toBeNull()
  })
})

test("a `deviceLabel` that fails is named in the log, and the sign-in goes on", async () => {
  const deviceLabel = () => {
    throw new Error("no such header")
  }
  const app = await createRecordApp({ strategy: "jwt", records: { deviceLabel } })
  const { auth, log, signIn } = app.startProcess()
  await signIn()
  expect(await auth.sessions.list("user-ada")).toMatchObject([{ label: undefined }])
  expect(log.lines).toHaveLength(1)
  expect(JSON.stringify(log.lines)).toContain(
    "The function `session.records.deviceLabel` failed: no such header",
  )
})

describe("a session reader", () => {
  test("refuses revoked sessions", async () => {
    const app = await createRecordApp({ strategy: "jwt" })
    const { auth, adapter, signIn } = app.startProcess()
    const [ada, bob] = [await signIn(), await signIn("bob")]
    const { logger } = createMemoryLog()
    const records = { store: { ...adapter }, pollInterval: 0 }
    const reader = createSessionReader({ secret: testSecret, logger, session: { records } })
    const read = async (cookie: string) =>
      (await reader.getSession({ headers: new Headers({ cookie }), url: pageUrl })).session?.user
        ?.name
    expect(await read(readCookies(ada))).toBe("ada")
    await auth.sessions.revokeAll("user-ada")
    expect(await read(readCookies(ada))).toBeUndefined()
    expect(await read(readCookies(bob))).toBe("bob")
  })

  test("without the store refuses all requests", async () => {
    const { logger } = createMemoryLog()
    const session = { records: true }
    expect(
      await getProblem(createSessionReader({ secret: testSecret, logger, session })),
    ).toMatchObject({
      type: "InvalidOption",
      cause: { option: "session.records" },
    })
  })
})

test.each(["jwt", "database"] as const)(
  "a test session is one recorded session, strategy %s",
  async (strategy) => {
    const app = await createRecordApp({ strategy })
    const { auth, adapter, checkCookie } = app.startProcess()
    const config = { ...base, adapter, session: { strategy, records: true } }
    const user = { id: "user-ada", name: "ada", email: "ada@example.com" }
    const cookie = await createTestSession(config, user)
    expect(await auth.sessions.list("user-ada")).toMatchObject([{ provider: "test" }])
    expect(await checkCookie(cookie)).toBe("ada")
    await auth.sessions.revokeAll("user-ada")
    expect(await checkCookie(cookie)).toBeNull()
  },
)

test("changes that a later version writes are left alone", async () => {
  const { startProcess } = await createRecordApp({ strategy: "jwt" })
  const { adapter, auth, check, signIn } = startProcess()
  const ada = await signIn()
  const changedAt = new Date()
  const expires = new Date(changedAt.getTime() + 60_000)
  await adapter.saveSessionChange({ key: "later 1", changedAt, expires, details: "no JSON" })
  expect(await check(ada)).toBe("ada")
  await auth.sessions.revokeAll("user-ada")
  expect(await check(ada)).toBeNull()
})

test("a text that is no id of a session is not stored as a revocation", async () => {
  const { startProcess } = await createRecordApp({ strategy: "jwt" })
  const { adapter, auth } = startProcess()
  const save = vi.spyOn(adapter, "saveSessionChange")
  expect(await auth.sessions.revoke("no id")).toBeNull()
  expect(save).not.toHaveBeenCalled()
})
