/** Which address attempts are counted for. */
import credentials from "@latchkey/qwik/providers/credentials"
import { expect, test, vi } from "vitest"
import { openTestApplication } from "./support/application.ts"
import { createConfig } from "./support/config.ts"

vi.mock("@builder.io/qwik-city", () => import("./support/qwik-city.ts"))

const attempts = 15
const spoof = (i: number) => `203.0.113.${i}`

/** Counts attempts whose password is compared, with the connection that the server reports. */
async function countGuesses(
  user: string,
  getAddress: (i: number) => string | undefined,
  by: "form" | "action",
): Promise<number> {
  let compared = 0
  const provider = credentials({
    credentials: { user: {}, password: { type: "password" } },
    authorize() {
      compared += 1
      return null
    },
  })
  let requests = 0
  const app = openTestApplication({
    config: createConfig({ providers: [provider] }),
    getClientAddress: (request) => {
      request.headers.set("x-forwarded-for", spoof(requests))
      return getAddress(++requests)
    },
  })
  const fields = { user, password: "wrong" }
  for (let i = 0; i < attempts; i += 1) {
    if (by === "form") await app.visitor.post("/auth/callback/credentials", fields)
    else
      await app.signIn({
        providerId: "credentials",
        "options.user": user,
        "options.password": "wrong",
      })
  }
  return compared
}

test.each(["form", "action"] as const)("the address is that of the connection (%s)", async (by) => {
  expect(await countGuesses(`ada ${by}`, () => "198.51.100.7", by)).toBe(10)
  expect(await countGuesses(`bob ${by}`, spoof, by)).toBe(attempts)
  expect(await countGuesses(`cleo ${by}`, () => undefined, by)).toBe(attempts)
})
