/** Errors, promises and values of another realm (Jest, `vm`, worker pools) reach the log like others. */
import credentials from "@latchkey/core/providers/credentials"
import { describe, expect, test } from "vitest"
import { evaluateForeign, toForeignData } from "../support/foreign-values.ts"
import { createMinimalSite, validCredentials } from "../support/test-site.ts"

const errors: readonly (readonly [string, error: unknown, name: string, code?: string])[] = [
  ["error", evaluateForeign('new RangeError("too far")'), "RangeError"],
  [
    "system error",
    evaluateForeign('Object.assign(new Error("refused"), { code: "ECONNREFUSED" })'),
    "Error",
    "ECONNREFUSED",
  ],
  [
    "error whose class names itself, as those of Prisma do",
    evaluateForeign(`new (class PrismaError extends Error {
      name = "PrismaError"
      code = "P2002"
      get [Symbol.toStringTag]() { return this.name }
    })("unique")`),
    "PrismaError",
    "P2002",
  ],
  [
    "error made without `Error`, as old libraries do",
    evaluateForeign('Object.assign(Object.create(Error.prototype), { message: "old" })'),
    "Error",
  ],
  ["AggregateError", evaluateForeign('new AggregateError([], "all failed")'), "AggregateError"],
  ["DOMException", new DOMException("stopped", "AbortError"), "AbortError"],
]

const rejectWith = (error: unknown) =>
  credentials({ credentials: {}, authorize: () => Promise.reject(error) })

describe.each(errors)("a foreign %s", (_, error, name, code) => {
  const { message } = error as Error

  test("of `authorize` is logged with its name, message and code", async () => {
    const { openBrowser, log } = createMinimalSite({ providers: [rejectWith(error)] })
    await openBrowser().signIn("credentials", validCredentials)
    const expected = { name, message, ...(code !== undefined && { code }) }
    expect(log.lines[0]).toMatchObject([
      "error",
      "CallbackRouteError",
      {},
      { cause: { err: expected } },
    ])
    expect(JSON.stringify(log.lines)).not.toContain("[object")
  })

  test("of the `signIn` callback is the message of the refusal", async () => {
    const signIn = () => Promise.reject(error)
    const { openBrowser, log } = createMinimalSite({ callbacks: { signIn } })
    await openBrowser().signIn("credentials", validCredentials)
    expect(log.lines[0]).toMatchObject([
      "error",
      "AccessDenied",
      message,
      { cause: { err: { name } } },
    ])
  })
})

test("a foreign promise of a logger may be rejected", async () => {
  const unhandled: unknown[] = []
  const listener = (reason: unknown) => void unhandled.push(reason)
  process.on("unhandledRejection", listener)
  const error = () => evaluateForeign<void>('Promise.reject(new Error("the log is down"))')
  const { openBrowser } = createMinimalSite({
    providers: [rejectWith(new Error("down"))],
    logger: { error },
  })
  await openBrowser().signIn("credentials", validCredentials)
  await new Promise((resolve) => setTimeout(resolve, 10))
  process.off("unhandledRejection", listener)
  expect(unhandled).toEqual([])
})

test("foreign values in the details of an error are logged", async () => {
  const time = evaluateForeign<Date>("new Date(0)")
  const details = {
    time,
    values: toForeignData([{ sum: 3 }]),
    bytes: evaluateForeign("new Uint8Array(3)"),
  }
  const error = Object.assign(new Error("failed"), details)
  const provider = rejectWith(error)
  const { openBrowser, log } = createMinimalSite({ providers: [provider] })
  await openBrowser().signIn("credentials", validCredentials)
  const logged = { time, values: [{ sum: 3 }], bytes: "[bytes]" }
  expect(log.lines[0]).toMatchObject([
    "error",
    "CallbackRouteError",
    {},
    { cause: { err: logged } },
  ])
})

test("secrets in foreign options are not logged", async () => {
  const secret = "the client secret of the work account"
  const provider = toForeignData({
    id: "work",
    name: "Work",
    type: "oauth",
    clientId: "app",
    clientSecret: secret,
    authorization: "https://work.example/authorize",
    token: "https://work.example/token",
    userinfo: "https://work.example/userinfo",
  })
  const { openBrowser, log } = createMinimalSite({
    providers: [rejectWith(new Error(`${secret} is wrong`)), provider as never],
  })
  await openBrowser().signIn("credentials", validCredentials)
  expect(JSON.stringify(log.lines)).toContain("is wrong")
  expect(JSON.stringify(log.lines)).not.toContain(secret)
})
