import { afterEach, describe, expect, test, vi } from "vitest"
import { createLinkingApp } from "../support/linking-app.ts"
import { createTestApp } from "../support/test-app.ts"

afterEach(() => void vi.restoreAllMocks())

function spyOnConsole() {
  return {
    error: vi.spyOn(console, "error").mockImplementation(() => undefined),
    warn: vi.spyOn(console, "warn").mockImplementation(() => undefined),
    log: vi.spyOn(console, "log").mockImplementation(() => undefined),
  }
}

/** A sign-in and a request that is refused. */
async function signInAndFail(changes: Parameters<typeof createLinkingApp>[0]) {
  const app = await createLinkingApp(changes)
  const browser = app.openBrowser()
  await browser.signIn(app.work)
  await app.openBrowser().open("/auth/callback/work?error=access_denied")
  return app
}

describe("the method `debug` of a custom logger", () => {
  test.each([false, undefined])("is not called with `debug: %s`", async (debug) => {
    const app = await signInAndFail(debug === undefined ? {} : { debug })
    expect(app.log.lines.map(({ level }) => level)).not.toContain("debug")
    expect(app.log.errorCodes()).not.toEqual([])
  })

  test("is called with `debug: true`, after a warning that says so", async () => {
    const app = await signInAndFail({ debug: true })
    expect(app.log.lines[0]).toMatchObject({ level: "warn", code: "debug-enabled" })
    const codes = app.log.lines.filter(({ level }) => level === "debug").map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining(["adapter_createUser", "adapter_linkAccount"]))
  })

  test("is not called even if it is the logger's only method", async () => {
    spyOnConsole()
    const debug = vi.fn()
    await signInAndFail({ logger: { debug } })
    expect(debug).not.toHaveBeenCalled()
  })
})

describe("the logger", () => {
  test("receives a code, then the message, then the details", async () => {
    const app = await signInAndFail({
      callbacks: { signIn: () => Promise.reject(new Error("banned")) },
    })
    const [denied] = app.log.lines
    expect(denied).toMatchObject({
      level: "error",
      code: "AccessDenied",
      message: [
        "banned",
        {
          name: "AccessDenied",
          message: "banned",
          type: "AccessDenied",
          cause: { provider: "work", err: { name: "Error", message: "banned" } },
        },
      ],
    })
  })

  test("has defaults for missing levels", async () => {
    const spies = spyOnConsole()
    const error = vi.fn()
    await signInAndFail({ debug: true, logger: { error } })
    expect(error).toHaveBeenCalled()
    expect(spies.error).not.toHaveBeenCalled()
    expect(spies.warn).toHaveBeenCalledWith(expect.stringContaining("[auth][warn][debug-enabled]"))
    expect(spies.log.mock.calls.join()).toContain("[auth][debug]")
  })

  test("writes to the console by default", async () => {
    const spies = spyOnConsole()
    const { handle } = createTestApp({ logger: {} })
    await handle(new Request("https://app.example/auth/nowhere"))
    expect(spies.error).toHaveBeenCalledTimes(1)
    expect(spies.error.mock.calls[0]?.[0]).toContain("[auth][error]")
    expect(spies.error.mock.calls[0]?.[0]).toContain("UnknownAction")
    expect(spies.log).not.toHaveBeenCalled()
  })

  test("logs an error of other code under its own name", async () => {
    const app = await createLinkingApp({
      rateLimit: () => true,
      callbacks: { redirect: () => Promise.reject(new RangeError("no way")) },
    })
    await app.openBrowser().open("/auth/signin?callbackUrl=/a")
    expect(app.log.lines[0]).toMatchObject({ code: "RangeError", message: ["no way", {}] })
  })

  test("logs the stack of an error, and those of its causes", async () => {
    const app = await signInAndFail({
      callbacks: { signIn: () => Promise.reject(new Error("banned")) },
    })
    const facts = app.log.lines[0]?.message[1] as {
      stack: string
      cause: { err: { stack: string } }
    }
    for (const stack of [facts.stack, facts.cause.err.stack]) {
      expect(stack.split("\n").length).toBeGreaterThan(1)
      for (const line of stack.split("\n")) expect(line).toMatch(/^\s+at /)
    }
    expect(facts.cause.err.stack).toContain("levels.test.ts")
  })
})
