/** Which address attempts are counted for. */
import { MiddlewareAuth, signIn } from "@latchkey/express"
import credentials from "@latchkey/express/providers/credentials"
import { createTestBrowser } from "@latchkey/testing"
import type { ErrorRequestHandler } from "express"
import { describe, expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { createProxy, serve } from "./support/http.ts"

const attempts = 15

describe.each(expressVersions)("Express $major", ({ major, express }) => {
  /** Guesses with an address in `X-Forwarded-For` for each attempt. Returns how many were compared. */
  async function countGuesses(trust: unknown, name: string, getForwarded: (i: number) => string) {
    // The counters belong to the process.
    const user = `${name} ${major}`
    let compared = 0
    const provider = credentials({
      credentials: { user: {}, password: { type: "password" } },
      authorize() {
        compared += 1
        return null
      },
    })
    const counting = createConfig({ providers: [provider], attemptLimits: {} })
    const app = express().set("trust proxy", trust)
    app.use("/auth", MiddlewareAuth(counting))
    app.post("/guess", (req, res, next) => {
      const fields = { user, password: "wrong" }
      signIn(req, counting, "credentials", { fields }).then(() => void res.end(), next)
    })
    const errorHandler: ErrorRequestHandler = (error, _req, res, _next) => {
      res.status(401).send(error.type)
    }
    app.use(errorHandler)
    let requests = 0
    const address = await serve(app)
    const proxy = createProxy(address, () => ({ "x-forwarded-for": getForwarded(++requests) }))
    const browser = createTestBrowser(proxy, { origin: address })
    return {
      async byForm() {
        const csrfToken = await browser.getCsrfToken()
        const fields = { user, password: "wrong", csrfToken }
        for (let i = 0; i < attempts; i += 1)
          await browser.post("/auth/callback/credentials", fields)
        return compared
      },
      async byFunction() {
        for (let i = 0; i < attempts; i += 1) await browser.post("/guess", {})
        return compared
      },
    }
  }

  const spoof = (i: number) => `203.0.113.${i}`

  test("a forged X-Forwarded-For does not make an attacker another network", async () => {
    // The proxy appends the address that it sees.
    const byForm = await countGuesses(1, "ada", (i) => `${spoof(i)}, 198.51.100.1${major}`)
    expect(await byForm.byForm()).toBe(10)
    const byFunction = await countGuesses(
      "loopback",
      "bob",
      (i) => `${spoof(i)}, 198.51.100.2${major}`,
    )
    expect(await byFunction.byFunction()).toBe(10)
  })

  test("X-Forwarded-For counts for nothing if no proxy is trusted", async () => {
    // Every request is from this machine, so that only the account counts: had the header counted, ten would do.
    const guesses = await countGuesses(false, "cleo", () => "198.51.100.9")
    expect(await guesses.byForm()).toBe(attempts)
    const byFunction = await countGuesses(false, "dora", () => "198.51.100.10")
    expect(await byFunction.byFunction()).toBe(attempts)
  })

  test("clients behind a trusted proxy have networks of their own", async () => {
    const guesses = await countGuesses("loopback", "eve", spoof)
    expect(await guesses.byForm()).toBe(attempts)
  })
})
