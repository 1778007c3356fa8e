import { Auth, type AuthConfig, serializeCookie } from "@latchkey/core"
import { MissingAdapter, MissingAdapterMethods, MissingSecret } from "@latchkey/core/errors"
import { startSession } from "@latchkey/core/minting"
import { describe, expect, test } from "vitest"
import { application } from "../support/application.ts"
import { world } from "../support/world.ts"

const account = { provider: "minted", type: "credentials", providerAccountId: "1" } as const
const person = { user: { id: "1", name: "Ada" }, account }
const url = "https://app.example/account"

/** Whom the session endpoint sees. */
async function nameOf(config: Omit<AuthConfig, "raw">, cookies: readonly string[], origin: string) {
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ")
  const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
  const session = (await (await Auth(request, config)).json()) as { user?: { name?: string } }
  return session?.user?.name
}

describe("a session of somebody who proved nothing", () => {
  test("is one session with the cookies of each scheme that is named", async () => {
    const asked: unknown[] = []
    const { config } = application({
      callbacks: {
        jwt: (parameters) => {
          asked.push(parameters)
          return parameters.token
        },
      },
    })
    const cookies = await startSession(config, person, [url, "http://localhost:3000", url])
    expect(cookies.map(({ name }) => name)).toEqual([
      "__Secure-authjs.session-token",
      "authjs.session-token",
    ])
    expect(asked).toEqual([expect.objectContaining({ ...person, trigger: "signIn" })])
    const lines = cookies.map(serializeCookie)
    expect(await nameOf(config, lines, "https://app.example")).toBe("Ada")
    expect(await nameOf(config, lines, "http://localhost:3000")).toBe("Ada")
  })

  test("is one row", async () => {
    const stored = await world()
    const { config } = application({ adapter: stored.adapter })
    const user = await stored.user()
    const urls = [url, "http://localhost:3000"]
    const cookies = await startSession(config, { ...person, user, isNewUser: false }, urls)
    expect(stored.rows("Session")).toMatchObject([{ userId: user.id }])
    expect(new Set(cookies.map(({ value }) => value)).size).toBe(1)
    const lines = cookies.map(serializeCookie)
    expect(await nameOf(config, lines, "https://app.example")).toBe("Ada Lovelace")
  })

  test("looks at nothing but what sessions need: other problems are no obstacle", async () => {
    const { config } = application({ secret: "short", providers: ["?"] as never })
    expect(await startSession(config, person, [url])).toHaveLength(1)
  })

  test("is not to be had without what its strategy needs", async () => {
    const { secret: _, ...config } = application().config
    await expect(startSession(config, person, [url])).rejects.toThrow(MissingSecret)
    const database = { ...application().config, session: { strategy: "database" } } as const
    await expect(startSession(database, person, [url])).rejects.toThrow(MissingAdapter)
    const bare = { ...database, adapter: {} }
    await expect(startSession(bare, person, [url])).rejects.toThrow(MissingAdapterMethods)
  })

  test("is not to be had when the callback gives none", async () => {
    const { config } = application({ callbacks: { jwt: () => null } })
    await expect(startSession(config, person, [url])).rejects.toThrow(
      "`jwt` callback returned null",
    )
  })
})
