/** Which address attempts are counted for. */
import { CompiledAuth } from "@latchkey/sveltekit"
import credentials from "@latchkey/sveltekit/providers/credentials"
import { createTestBrowser } from "@latchkey/testing"
import { expect, test, vi } from "vitest"
import { createEvent, createFormRequest } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("../src/kit.ts", () => import("./support/kit.ts"))
vi.mock("../src/environment.ts", () => import("./support/environment.ts"))

const attempts = 15
const spoof = (i: number) => `203.0.113.${i}`

/** Counts attempts whose password is compared, with the address that SvelteKit's adapter returns. */
async function countGuesses(
  user: string,
  getClientAddress: (i: number) => string,
  by: "form" | "action",
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
  const { handle, signIn } = CompiledAuth(createConfig({ providers: [provider] }))
  let requests = 0
  const send = async (request: Request) => {
    request.headers.set("x-forwarded-for", spoof(++requests))
    const address = () => getClientAddress(requests)
    const { event } = createEvent(request, { getClientAddress: address })
    if (new URL(request.url).pathname === "/signin") {
      await signIn(event).catch(() => undefined)
      return new Response()
    }
    return handle({ event, resolve: async () => new Response() })
  }
  const origin = "https://app.example"
  const browser = createTestBrowser(send, { origin, basePath: "/base/auth" })
  for (let i = 0; i < attempts; i += 1) {
    const fields = { user, password: "wrong" }
    if (by === "form") await browser.post("/base/auth/callback/people", fields)
    else await send(createFormRequest(`${origin}/signin`, { ...fields, providerId: "people" }))
  }
  return compared
}

test.each(["form", "action"] as const)(
  "the address is that of SvelteKit's adapter (%s)",
  async (by) => {
    expect(await countGuesses(`ada ${by}`, () => "198.51.100.7", by)).toBe(10)
    expect(await countGuesses(`bob ${by}`, spoof, by)).toBe(attempts)
  },
)

test.each(["form", "action"] as const)(
  "an adapter that knows no address changes nothing (%s)",
  async (by) => {
    const fail = () => {
      throw new Error("prerendering")
    }
    expect(await countGuesses(`cleo ${by}`, fail, by)).toBe(attempts)
  },
)
