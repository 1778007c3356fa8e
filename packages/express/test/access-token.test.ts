import {
  getAccessToken,
  getAuth,
  MiddlewareAuth,
  type MiddlewareAuthConfig,
} from "@latchkey/express"
import { migrate, SqlAdapter } from "@latchkey/sql"
import { openSqlite } from "@latchkey/sql/sqlite"
import { createScriptedProvider, createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createConfig } from "./support/config.ts"
import { expressVersions } from "./support/express.ts"
import { serve } from "./support/http.ts"

/** In seconds. */
const tokenLifetime = 3600

/** Runs a function when the access tokens of a sign-in have expired. */
const whenExpired = <T>(run: () => Promise<T>): Promise<T> =>
  withFrozenTime(Date.now() + tokenLifetime * 1000, run)

describe.each(expressVersions)("access tokens in Express $major", ({ express }) => {
  async function createApplication(changes: Partial<MiddlewareAuthConfig>) {
    const provider = await createScriptedProvider({ refreshTokens: "rotated" })
    const config = createConfig({ providers: [provider.asOidc()], ...changes })
    const app = express()
    app.use("/auth", MiddlewareAuth(config))
    app.get("/token", (req, res, next) => {
      const tokens = [1, 2].map(() => getAccessToken(req, config, "scripted"))
      Promise.all(tokens).then((results) => res.json(results), next)
    })
    app.get("/late", (req, res) => {
      res.write("[")
      getAccessToken(req, config, "scripted").then(
        () => res.end("refreshed]"),
        ({ hint }) => res.end(hint),
      )
    })
    const user = createTestBrowser(await serve(app))
    await user.signIn(provider)
    provider.clearRequests()
    const readTokens = async () => (await user.open("/token")).json()
    return { provider, config, user, readTokens }
  }

  test("come from the accounts table", async () => {
    const database = openSqlite(":memory:")
    await migrate(database)
    const adapter = SqlAdapter(database)
    const { config, provider, readTokens } = await createApplication({ adapter })
    const [first, second] = await readTokens()
    expect(second).toEqual(first)
    const { userId } = (await adapter.getAccount("ada", "scripted")) ?? {}
    expect(
      await getAuth(config).getAccessToken({ userId: String(userId) }, "scripted"),
    ).toMatchObject(first)
    const [renewed] = await whenExpired(readTokens)
    expect(renewed.accessToken).not.toBe(first.accessToken)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("in the session reach the cookie, once for all calls of a request", async () => {
    const session = { strategy: "jwt", providerTokens: true } as const
    const { provider, readTokens } = await createApplication({ session })
    const [first] = await readTokens()
    const [renewed, again] = await whenExpired(readTokens)
    expect(renewed.accessToken).not.toBe(first.accessToken)
    expect(again.accessToken).toBe(renewed.accessToken)
    const [kept] = await whenExpired(readTokens)
    expect(kept.accessToken).toBe(renewed.accessToken)
    expect(provider.tokenRequests).toHaveLength(1)
  })

  test("in the session are not refreshed after the headers have been sent", async () => {
    const session = { strategy: "jwt", providerTokens: true } as const
    const { provider, user } = await createApplication({ session })
    const text = await whenExpired(async () => (await user.open("/late")).text())
    expect(text).toContain("before the headers of the response are sent")
    expect(provider.tokenRequests).toEqual([])
  })
})
