/** Loggers that were written for Auth.js: converted by `fromAuthjsLogger`, and reported if they are not. */

import { fromAuthjsLogger } from "@latchkey/core/authjs"
import { findConfigProblems } from "@latchkey/core/cli"
import { AuthError, CredentialsSignin, SessionTokenError } from "@latchkey/core/errors"
import type { LoggerInstance } from "@latchkey/core/types"
import { describe, expect, expectTypeOf, test, vi } from "vitest"
import { asUntypedConfig } from "../support/broken-configurations.ts"
import { createMemoryLog } from "../support/memory-log.ts"
import { createDatabaseAdapter, createMinimalSite, sendRequest } from "../support/test-site.ts"

/** A logger in the style of Auth.js, and the errors that it received. */
function createAuthjsLogger() {
  const errors: (Error & { type?: string; cause?: { err?: Error } })[] = []
  const logger = { errors, error: (error: Error) => void errors.push(error as AuthError) }
  return logger
}

describe("fromAuthjsLogger", () => {
  test("passes an error of the library, with its class, type and cause", async () => {
    const logger = createAuthjsLogger()
    const adapter = {
      ...(await createDatabaseAdapter()),
      getSessionAndUser: () => Promise.reject(new RangeError("the database is down")),
    }
    const { config } = createMinimalSite({
      adapter,
      session: { strategy: "database" },
      logger: fromAuthjsLogger(logger),
    })
    const cookie = "__Secure-authjs.session-token=0b5a7b1c-3a3c-4c4e-9d0e-000000000000"
    await sendRequest(config, "/auth/session", { headers: { cookie } })
    const [error] = logger.errors
    expect(error).toBeInstanceOf(SessionTokenError)
    expect(error).toBeInstanceOf(AuthError)
    expect(error).toMatchObject({ name: "SessionTokenError", type: "SessionTokenError" })
    expect(error?.stack).toMatch(/^SessionTokenError: .*\n\s+at /)
    expect(error?.cause?.err).toBeInstanceOf(Error)
    expect(error?.cause?.err).toMatchObject({ name: "AdapterError" })
    const adapterError = error?.cause?.err as { cause?: { err?: Error } }
    expect(adapterError.cause?.err).toMatchObject({
      name: "RangeError",
      message: "the database is down",
    })
  })

  test("keeps the name of an application's own error", () => {
    const logger = createAuthjsLogger()
    const details = { name: "UnknownUser", message: "Nobody", stack: "    at a", code: "unknown" }
    fromAuthjsLogger(logger).error?.("CredentialsSignin", "Nobody", details)
    expect(logger.errors[0]).toBeInstanceOf(CredentialsSignin)
    expect(logger.errors[0]).toMatchObject({ ...details, stack: "UnknownUser: Nobody\n    at a" })
    expect(logger.errors[0]).toMatchObject({ type: "CredentialsSignin" })
  })

  test("accepts a logger with further members", () => {
    const warnings: string[] = []
    const logger = fromAuthjsLogger({
      warn: (code) => void warnings.push(code),
      info: (message: string) => void warnings.push(message),
    })
    logger.warn?.("env-url-basepath-mismatch")
    expect(warnings).toEqual(["env-url-basepath-mismatch"])
    expect(Object.keys(logger)).toEqual(["warn"])
  })

  test("passes errors of others, and lines without details", () => {
    const logger = createAuthjsLogger()
    const { error } = fromAuthjsLogger(logger)
    error?.("TypeError", "x is undefined", { name: "TypeError", message: "x is undefined" })
    error?.("isClientError", "odd")
    expect(logger.errors.map(String)).toEqual(["TypeError: x is undefined", "isClientError: odd"])
    expect(logger.errors[1]).not.toBeInstanceOf(AuthError)
  })

  test("calls warn and debug as methods of the logger, and leaves out what it lacks", () => {
    const lines: unknown[][] = []
    const logger = {
      lines,
      warn(code: string) {
        this.lines.push(["warn", code])
      },
      debug(message: string, metadata?: unknown) {
        this.lines.push(["debug", message, metadata])
      },
    }
    const converted = fromAuthjsLogger(logger)
    expect(Object.keys(converted)).toEqual(["warn", "debug"])
    converted.warn?.("debug-enabled")
    converted.debug?.("error-report", { provider: "google" })
    expect(lines).toEqual([
      ["warn", "debug-enabled"],
      ["debug", "error-report", { provider: "google" }],
    ])
  })

  test("accepts no logger of ours", () => {
    type Accepted = Parameters<typeof fromAuthjsLogger>[0]
    expectTypeOf<{ error(error: Error): Promise<void> }>().toExtend<Accepted>()
    expectTypeOf<{ error(error: AuthError): void }>().toExtend<Accepted>()
    expectTypeOf<LoggerInstance>().not.toExtend<Accepted>()
  })
})

describe("a logger that expects an error object", () => {
  const consoleLog = (...line: unknown[]) => void line

  test.each<[string, unknown]>([
    [
      "a method",
      {
        error(error: Error) {
          consoleLog(error.name, error.message)
        },
      },
    ],
    ["an arrow function", { error: (e: Error) => consoleLog(e.stack) }],
    ["an async function", { error: async (err: Error) => consoleLog("auth", err?.cause) }],
    [
      "a function expression",
      {
        error: function log(error: AuthError) {
          consoleLog(error.type)
        },
      },
    ],
    ["a pattern", { error: ({ name }: Error) => consoleLog(name) }],
    ["a class check", { error: (error: unknown) => consoleLog(error instanceof AuthError) }],
    // The formatter would add parentheses.
    ["a bare parameter", { error: new Function("return error => error.name")() }],
  ])("is reported: %s", async (_, logger) => {
    const { config } = createMinimalSite(asUntypedConfig({ logger }))
    const [problem, ...others] = await findConfigProblems(config)
    expect(others).toEqual([])
    expect(problem).toMatchObject({
      level: "warning",
      type: "authjs-logger",
      option: "logger.error",
      hint: expect.stringContaining("fromAuthjsLogger"),
    })
  })

  test.each<[string, unknown]>([
    ["the code", { error: (code: string) => consoleLog(code, code.length) }],
    ["the details", { error: (_: string, __: string, error: Error) => consoleLog(error.name) }],
    [
      "a method of its own name",
      {
        error(code: string, message: string, error: Error) {
          consoleLog(code, message, error.stack)
        },
      },
    ],
    ["another object's member", { error: (error: string) => consoleLog(logs.error.name, error) }],
    ["a converted one", fromAuthjsLogger({ error: (error) => consoleLog(error.name) })],
    ["the console", console],
    ["a mock", { error: vi.fn() }],
  ])("is not one that reads %s", async (_, logger) => {
    const { config } = createMinimalSite(asUntypedConfig({ logger }))
    expect(await findConfigProblems(config)).toEqual([])
  })

  test("causes a warning in development, whose code says so", async () => {
    const log = createMemoryLog()
    const logger = { ...log.logger, error: (error: { name?: string }) => consoleLog(error.name) }
    const { config } = createMinimalSite(asUntypedConfig({ logger, development: true }))
    await sendRequest(config, "/auth/csrf")
    await vi.waitFor(
      () => expect(log.lines).toContainEqual(["warn", "authjs-logger", expect.any(String)]),
      10_000,
    )
  })
})

const logs = { error: { name: "" } }
