import { createAuth } from "@latchkey/core"
import { migrate } from "@latchkey/sql"
import { createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { createAdapter, readTable } from "./support/database-kinds/database-kind.ts"
import { databaseKinds, databaseKindsWithKysely } from "./support/database-kinds.ts"

describe.each(databaseKindsWithKysely)("counted attempts, on $name", (kind) => {
  test("of 64 parallel guesses in two processes, no more than the limit are compared", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const second = opened.reconnect?.() ?? opened.database
    let compared = 0
    const adapters = [opened.database, second].map((database) =>
      createAdapter(kind, { ...opened, database }),
    )
    const processes = adapters.map((adapter) =>
      createAuth({
        adapter,
        providers: [
          {
            id: "credentials",
            type: "credentials",
            name: "Password",
            credentials: { email: {}, password: { type: "password" } },
            authorize() {
              compared += 1
              return null
            },
          },
        ],
        session: { strategy: "jwt" },
        secret: "a secret of the application, long enough: 1",
        trustHost: ["app.example"],
        logger: { error() {} },
      }),
    )
    let requests = 0
    const browser = createTestBrowser(async (request) => {
      const auth = processes[++requests % 2]
      return auth?.handle(request, { clientAddress: "203.0.113.7" }) ?? Response.error()
    })
    const csrfToken = await browser.getCsrfToken()
    const fields = { email: "ada@example.com", password: "wrong", csrfToken }
    await Promise.all(
      Array.from({ length: 64 }, () => browser.post("/auth/callback/credentials", fields)),
    )
    expect(compared).toBe(10)
    const rows = await readTable(opened, "LatchkeyAttempt")
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows)).not.toMatch(/ada@|203\.0/)
  })
})

describe.each(databaseKinds)("a browser that has signed in, on $name", (kind) => {
  test("has attempts of its own in all processes, while strangers use up those of the account", async () => {
    const opened = await kind.open()
    await migrate(opened.database)
    const second = opened.reconnect?.() ?? opened.database
    let compared = 0
    const password = "correct horse battery staple"
    const processes = [opened.database, second].map((database) =>
      createAuth({
        adapter: createAdapter(kind, { ...opened, database }),
        providers: [
          {
            id: "credentials",
            type: "credentials",
            name: "Password",
            credentials: { email: {}, password: { type: "password" } },
            authorize({ password: guess }) {
              compared += 1
              return guess === password ? { id: "ada" } : null
            },
          },
        ],
        session: { strategy: "jwt" },
        secret: "a secret of the application, long enough: 1",
        trustHost: true,
        logger: { error() {} },
      }),
    )
    let requests = 0
    const openBrowser = () =>
      createTestBrowser((request) => {
        const auth = processes[++requests % 2]
        return auth?.handle(request) ?? Promise.resolve(Response.error())
      })
    const signIn = async (browser: TestBrowser, guess: string) =>
      void (await browser.signIn("credentials", { email: "ada@example.com", password: guess }))
    const owner = openBrowser()
    await signIn(owner, password)
    const stranger = openBrowser()
    compared = 0
    for (let i = 0; i < 101; i += 1) await signIn(stranger, "wrong")
    expect(compared).toBe(100)
    for (let i = 0; i < 12; i += 1) await signIn(owner, "wrong")
    expect(compared).toBe(110)
  })
})

describe.each(databaseKinds)("expired attempts, on $name", (kind) => {
  test("are deleted by `deleteExpired`, and as new ones are counted", async () => {
    const opened = await kind.open()
    const adapter = createAdapter(kind, opened, { migrate: true })
    for (const [key, window] of Object.entries({ oldest: -7200, old: -3600, recent: -1, live: 60 }))
      await adapter.countAttempt(key, window)
    expect(await adapter.deleteExpired(new Date(Date.now() - 5_000_000), 5)).toBe(1)
    for (let index = 0; index < 60; index += 1) await adapter.countAttempt(`new ${index}`, 60)
    await vi.waitFor(async () => {
      const rows = await readTable(opened, "LatchkeyAttempt")
      const keys = rows.map(({ key }) => String(key)).filter((key) => !key.startsWith("new"))
      expect(keys.toSorted()).toEqual(["live", "recent"])
    }, 10_000)
  })
})
