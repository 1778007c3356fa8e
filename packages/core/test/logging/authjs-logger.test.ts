/** Loggers that were written for Auth.js: converted by `fromAuthjsLogger`. */

import { fromAuthjsLogger } from "@latchkey/core/authjs"
import { AuthError, CredentialsSignin, SessionTokenError } from "@latchkey/core/errors"
import type { LoggerInstance } from "@latchkey/core/types"
import { describe, expect, expectTypeOf, test } from "vitest"
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
