/** Which address attempts are counted for. */
import { FetchAuth, type WrapOptions } from "@latchkey/fetch"
import credentials from "@latchkey/fetch/providers/credentials"
import { createTestBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"
import { createConfig } from "./support/config.ts"

const attempts = 15
const spoof = (i: number) => `203.0.113.${i}`

/** Counts attempts whose password is compared. */
async function countGuesses(
  user: string,
  by: "form" | "function",
  options: WrapOptions<[]>,
  getForwarded = spoof,
): Promise<number> {
  let compared = 0
  const provider = credentials({
    id: "people",
    credentials: { user: {}, password: { type: "password" } },
    authorize() {
      compared += 1
      return null
    },
  })
  const auth = FetchAuth(createConfig({ trustHost: true, providers: [provider] }))
  const fields = { user, password: "wrong" }
  const app = auth.wrap(async (request) => {
    await auth
      .for(request)
      .signIn("people", { fields })
      .catch(() => undefined)
    return new Response()
  }, options)
  let requests = 0
  const send = (request: Request) => {
    request.headers.set("x-forwarded-for", getForwarded(++requests))
    request.headers.set("x-real-ip", `198.51.100.${requests}`)
    return app(request)
  }
  const browser = createTestBrowser(send, { origin: "https://app.example" })
  for (let i = 0; i < attempts; i += 1)
    await browser.post(by === "form" ? "/auth/callback/people" : "/guess", fields)
  return compared
}

test.each(["form", "function"] as const)(
  "the address is that of `getClientAddress`, and no header (%s)",
  async (by) => {
    const name = (text: string) => `${text} by ${by}`
    const getClientAddress = () => "198.51.100.7"
    expect(await countGuesses(name("ada"), by, { getClientAddress })).toBe(10)
    // Without an address, only the account counts: had the header counted, ten would do.
    expect(await countGuesses(name("bob"), by, {}, () => "198.51.100.9")).toBe(attempts)
  },
)

test.each(["form", "function"] as const)(
  "a header counts if the application trusts it (%s)",
  async (by) => {
    const getClientAddress = (request: Request) => request.headers.get("x-real-ip") ?? undefined
    expect(await countGuesses(`cleo by ${by}`, by, { getClientAddress })).toBe(attempts)
  },
)
