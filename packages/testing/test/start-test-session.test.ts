import { Auth, type AuthConfig, serializeCookie } from "@latchkey/core"
import { MissingAdapter, MissingAdapterMethods, MissingSecret } from "@latchkey/core/errors"
import { describe, expect, test } from "vitest"
import { createTestApp } from "../../core/test/support/test-app.ts"
import { createTestDatabase } from "../../core/test/support/test-database.ts"
import { startTestSession } from "../src/session/start-test-session.ts"

const account = { provider: "minted", type: "credentials", providerAccountId: "1" } as const
const mintedUser = { user: { id: "1", name: "Ada" }, account }
const url = "https://app.example/account"

/** The name of the user that the session endpoint returns. */
async function readSessionName(
  config: Omit<AuthConfig, "raw">,
  cookies: readonly string[],
  origin: string,
) {
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ")
  const request = new Request(`${origin}/auth/session`, { headers: { cookie } })
  const session = (await (await Auth(request, config)).json()) as { user?: { name?: string } }
  return session?.user?.name
}

describe("a test session", () => {
  test("has the same session in the cookies of each given scheme", async () => {
    const received: unknown[] = []
    const { config } = createTestApp({
      callbacks: {
        jwt: (parameters) => {
          received.push(parameters)
          return parameters.token
        },
      },
    })
    const cookies = await startTestSession(config, mintedUser, [url, "http://localhost:3000", url])
    expect(cookies.map(({ name }) => name)).toEqual([
      "__Secure-authjs.session-token",
      "authjs.session-token",
    ])
    expect(received).toEqual([expect.objectContaining({ ...mintedUser, trigger: "signIn" })])
    const lines = cookies.map(serializeCookie)
    expect(await readSessionName(config, lines, "https://app.example")).toBe("Ada")
    expect(await readSessionName(config, lines, "http://localhost:3000")).toBe("Ada")
  })

  test("is one row in the database", async () => {
    const database = await createTestDatabase()
    const { config } = createTestApp({ adapter: database.adapter })
    const user = await database.createUser()
    const urls = [url, "http://localhost:3000"]
    const cookies = await startTestSession(config, { ...mintedUser, user, isNewUser: false }, urls)
    expect(database.rows("Session")).toMatchObject([{ userId: user.id }])
    expect(new Set(cookies.map(({ value }) => value)).size).toBe(1)
    const lines = cookies.map(serializeCookie)
    expect(await readSessionName(config, lines, "https://app.example")).toBe("Ada Lovelace")
  })

  test("ignores configuration problems that do not concern sessions", async () => {
    const { config } = createTestApp({ secret: "short", providers: ["?"] as never })
    expect(await startTestSession(config, mintedUser, [url])).toHaveLength(1)
  })

  test("cannot be created without what its strategy requires", async () => {
    const { secret: _, ...config } = createTestApp().config
    await expect(startTestSession(config, mintedUser, [url])).rejects.toThrow(MissingSecret)
    const database = { ...createTestApp().config, session: { strategy: "database" } } as const
    await expect(startTestSession(database, mintedUser, [url])).rejects.toThrow(MissingAdapter)
    const bare = { ...database, adapter: {} }
    await expect(startTestSession(bare, mintedUser, [url])).rejects.toThrow(MissingAdapterMethods)
  })

  test("cannot be created if the callback returns none", async () => {
    const { config } = createTestApp({ callbacks: { jwt: () => null } })
    await expect(startTestSession(config, mintedUser, [url])).rejects.toThrow(
      "`jwt` callback returned null",
    )
  })
})
