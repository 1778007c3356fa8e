import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { hasRedis } from "./support/shared-redis.ts"
import { createTestAdapter } from "./support/test-adapters.ts"

const email = "ada@example.com"

test.skipIf(!hasRedis)(
  "the code of an e-mail is compared with five guesses at most, of 64 at once",
  async () => {
    const { adapter } = await createTestAdapter()
    let attempts = 0
    let [link, code]: [string, string] = ["", ""]
    const countingAdapter: Adapter = {
      ...adapter,
      async useVerificationToken(key) {
        const row = await adapter.useVerificationToken(key)
        // Attempts are tokens whose identifier is no address.
        if (row && row.identifier !== email) attempts += 1
        return row
      },
    }
    const auth = createAuth({
      adapter: countingAdapter,
      providers: [
        {
          id: "email",
          name: "Email",
          type: "email",
          sendsCode: true,
          sendVerificationRequest(request) {
            ;[link, code = ""] = [request.url, request.code]
          },
        },
      ],
      secret: "a secret of the application, long enough: 1",
      trustHost: true,
      attemptLimits: false,
      logger: { error() {} },
    })
    const browser = createTestBrowser((request) => auth.handle(request))
    await browser.signIn("email", { email })
    const csrfToken = await browser.getCsrfToken()
    const enter = (by: number) => {
      const guess = String((Number(code) + by) % 1_000_000).padStart(6, "0")
      return browser.post("/auth/callback/email", { email, code: guess, csrfToken })
    }
    for (let rounds = 0; rounds < 6; rounds += 1)
      await Promise.all(Array.from({ length: 64 }, (_, at) => enter(at + 1)))
    expect(attempts).toBe(5)
    await enter(0)
    expect(await browser.getSession()).toBeNull()
    await browser.open(link)
    expect(await browser.getSession()).toMatchObject({ user: { email } })
  },
)
