/** `logger` and `debug`: where log lines go, and that a failing logger changes nothing. */
import { setEnvDefaults } from "@latchkey/core"
import type { LoggerInstance } from "@latchkey/core/types"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createMemoryLog } from "../support/memory-log.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  sendRequest,
  siteOrigin,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

/** Captures the output on the console, by method. */
function recordConsole() {
  const lines: Record<"error" | "warn" | "log", unknown[][]> = { error: [], warn: [], log: [] }
  for (const name of ["error", "warn", "log"] as const) {
    const spy = vi.spyOn(console, name).mockImplementation((...line) => void lines[name].push(line))
    onTestFinished(() => spy.mockRestore())
  }
  return lines
}

/** A configuration that logs at each level: a warning, an error, and debug lines. */
async function createLoggingConfig(
  logger: Partial<LoggerInstance> | undefined,
): Promise<TestSiteConfig> {
  const { logger: _, ...config } = createMinimalSite({
    debug: true,
    adapter: await createDatabaseAdapter(),
    session: { strategy: "database" },
  }).config
  return logger ? { ...config, logger } : config
}

async function sendLoggedRequests(config: TestSiteConfig): Promise<Response> {
  const cookie = "__Secure-authjs.session-token=0b5a7b1c-3a3c-4c4e-9d0e-000000000000"
  await sendRequest(config, "/auth/session", { headers: { cookie } })
  return sendRequest(config, "/auth/nothing")
}

describe("without a logger", () => {
  test("each level is written to the console, with its code", async () => {
    const lines = recordConsole()
    await sendLoggedRequests(await createLoggingConfig(undefined))
    expect(lines.warn.join()).toContain("[auth][warn][debug-enabled]")
    expect(lines.error.join()).toMatch(/\[auth\]\[error\].*UnknownAction/)
    expect(lines.log.join()).toMatch(/\[auth\]\[debug\].*adapter_getSessionAndUser/)
  })
})

describe("a logger", () => {
  test.each(["error", "warn", "debug"] as const)(
    "with %s only has the others printed",
    async (level) => {
      const lines = recordConsole()
      const kept = createMemoryLog()
      await sendLoggedRequests(await createLoggingConfig({ [level]: kept.logger[level] }))
      expect(new Set(kept.lines.map(([name]) => name))).toEqual(new Set([level]))
      const methods = { error: lines.error, warn: lines.warn, debug: lines.log }
      for (const [name, printed] of Object.entries(methods)) {
        expect([name, printed.length > 0]).toEqual([name, name !== level])
      }
    },
  )

  test("receives a code, then a message", async () => {
    const { logger, lines } = createMemoryLog()
    await sendLoggedRequests(await createLoggingConfig(logger))
    expect(lines).toContainEqual(["warn", "debug-enabled"])
    expect(lines).toContainEqual([
      "debug",
      "adapter_getSessionAndUser",
      expect.objectContaining({ args: expect.any(Array) }),
    ])
    expect(lines).toContainEqual([
      "error",
      "UnknownAction",
      expect.stringContaining("/auth"),
      expect.objectContaining({ name: "UnknownAction", stack: expect.any(String) }),
    ])
  })

  test("keeps its `this`", async () => {
    class Journal implements LoggerInstance {
      readonly #entries: string[] = []
      error(code: string) {
        this.#entries.push(`error ${code}`)
      }
      warn(code: string) {
        this.#entries.push(`warn ${code}`)
      }
      debug(code: string) {
        this.#entries.push(`debug ${code}`)
      }
      get entries() {
        return this.#entries
      }
    }
    const journal = new Journal()
    await sendLoggedRequests(await createLoggingConfig(journal))
    expect(journal.entries).toEqual(
      expect.arrayContaining([
        "warn debug-enabled",
        "error UnknownAction",
        "debug adapter_getSessionAndUser",
      ]),
    )
  })

  test("keeps its `this` for warnings of setEnvDefaults", () => {
    const journal = {
      codes: [] as string[],
      warn(code: string) {
        this.codes.push(code)
      },
    }
    const config: TestSiteConfig = {
      ...createMinimalSite({ basePath: "/auth" }).config,
      logger: journal,
    }
    setEnvDefaults({ AUTH_URL: siteOrigin }, config)
    expect(journal.codes).toEqual(["env-url-basepath-redundant"])
  })

  const broken: [string, () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("the disk is full")
      },
    ],
    ["rejects", async () => Promise.reject(new Error("the disk is full"))],
    ["never ends", () => new Promise(() => {})],
  ]

  test.each(broken)("that %s changes no response", async (_, fails) => {
    const unhandled = vi.fn()
    process.on("unhandledRejection", unhandled)
    onTestFinished(() => void process.off("unhandledRejection", unhandled))
    const logger = { error: fails, warn: fails, debug: fails }
    expect((await sendLoggedRequests(await createLoggingConfig(logger))).status).toBe(400)
    const { openBrowser } = createMinimalSite({ logger, debug: true })
    const alice = openBrowser()
    await alice.signIn("credentials", { ...validCredentials, word: "wrong" })
    await alice.signIn("credentials", validCredentials)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" } })
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).not.toHaveBeenCalled()
  })
})

describe("debug", () => {
  test("does not call the method `debug` if it is off", async () => {
    for (const debug of [false, undefined]) {
      const { logger, lines } = createMemoryLog()
      const config = {
        ...(await createLoggingConfig(logger)),
        ...(debug === undefined ? {} : { debug }),
      }
      if (debug === undefined) delete (config as Partial<TestSiteConfig>).debug
      await sendLoggedRequests(config)
      expect(lines.filter(([level]) => level === "debug")).toEqual([])
      expect(lines.filter(([level]) => level === "warn")).toEqual([])
      expect(lines.length).toBeGreaterThan(0)
    }
  })

  test("logs one warning if it is on", async () => {
    const { logger, warningCodes } = createMemoryLog()
    const config = await createLoggingConfig(logger)
    await sendLoggedRequests(config)
    await sendLoggedRequests(config)
    expect(warningCodes).toEqual(["debug-enabled"])
  })
})

describe("experimental", () => {
  test("enableWebAuthn logs a warning", async () => {
    const { config, log } = createMinimalSite({ experimental: { enableWebAuthn: true } })
    expect((await sendRequest(config, "/auth/session")).status).toBe(200)
    expect(log.warningCodes).toEqual(["experimental-webauthn"])
  })

  test.each([{}, { enableWebAuthn: false }])("%j logs no warning", async (experimental) => {
    const { config, log } = createMinimalSite({ experimental })
    await sendRequest(config, "/auth/session")
    expect(log.warningCodes).toEqual([])
  })
})
