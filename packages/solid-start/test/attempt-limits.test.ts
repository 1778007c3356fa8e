/** Which address attempts are counted for. */
import { skipCSRFCheck } from "@latchkey/core"
import { ReactiveAuth, type StartEvent, signIn } from "@latchkey/solid-start"
import credentials from "@latchkey/solid-start/providers/credentials"
import { expect, test } from "vitest"
import { createEvent, runInEvent } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

const attempts = 15
const origin = "https://app.example"
const spoof = (i: number) => `203.0.113.${i}`

/** Counts attempts whose password is compared, with the connection that the server reports. */
async function countGuesses(
  user: string,
  getNativeEvent: (i: number) => StartEvent["nativeEvent"],
  by: "form" | "function",
): Promise<number> {
  let compared = 0
  const provider = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize() {
      compared += 1
      return null
    },
  })
  const config = createConfig({ providers: [provider], skipCSRFCheck })
  const { POST } = ReactiveAuth(config)
  for (let i = 0; i < attempts; i += 1) {
    const request = new Request(`${origin}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { origin, "x-forwarded-for": spoof(i) },
      body: new URLSearchParams({ user, password: "wrong" }),
    })
    const event = createEvent(request, { nativeEvent: getNativeEvent(i) })
    const fields = { user, password: "wrong" }
    if (by === "form") await POST(event)
    else
      await runInEvent(event, () => signIn(config, "credentials", { fields })).catch(
        () => undefined,
      )
  }
  return compared
}

const h3 = {
  "h3 1": (remoteAddress: string) => ({
    node: { req: { socket: { encrypted: true, remoteAddress } } },
  }),
  "h3 2": (ip: string) => ({ req: { ip } }),
}

test.each(Object.entries(h3))(
  "the address is that of the connection, with %s",
  async (name, create) => {
    for (const by of ["form", "function"] as const) {
      const user = `${name} ${by}`
      expect(await countGuesses(`ada ${user}`, () => create("198.51.100.7"), by)).toBe(10)
      expect(await countGuesses(`bob ${user}`, (i) => create(spoof(i)), by)).toBe(attempts)
    }
  },
)

test.each(Object.entries(h3))(
  "a middleware that knows the proxy says the address, with %s",
  async (name, create) => {
    for (const by of ["form", "function"] as const) {
      const getEvent = (i: number) => ({
        ...create("10.0.0.7"),
        context: { clientAddress: i % 2 ? "198.51.100.8" : "::ffff:198.51.100.8" },
      })
      expect(await countGuesses(`dora ${name} ${by}`, getEvent, by)).toBe(10)
    }
  },
)

test("a server that knows no address changes nothing", async () => {
  expect(await countGuesses("cleo", () => undefined, "form")).toBe(attempts)
})
