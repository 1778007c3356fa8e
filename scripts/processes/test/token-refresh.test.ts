/**
 * A refresh token is used once, however many requests at several processes need a new access token.
 * LATCHKEY_GENERATIONS sets how often.
 */
import { expect, test } from "vitest"
import { startCluster } from "../cluster.ts"
import { databases } from "../databases/databases.ts"
import type { ProxyClient } from "../proxy-client.ts"
import { startRotatingProvider } from "../rotating-provider.ts"

const generations = Number(process.env["LATCHKEY_GENERATIONS"] ?? 10)
const requests = 400

for (const { name, isInstalled, start } of databases) {
  test.skipIf(!isInstalled)(
    `one refresh serves all requests, on ${name}`,
    { timeout: 300_000 },
    async () => {
      await using server = await start()
      await using cluster = await startCluster({
        variant: "processes",
        entry: "dist/rotating-server.js",
        databaseUrl: server.url,
        provider: (origin) => startRotatingProvider(`${origin}/auth/callback/tenantidp`),
      })
      const { provider } = cluster
      const ada = cluster.createClient()
      await ada.browser.open(await provider.approve(await ada.browser.startSignIn("tenantidp")))
      let { accessToken } = await readSessionTokens(ada)
      for (let generation = 1; generation <= generations; generation += 1) {
        await ada.browser.updateSession({})
        const requestCount = ada.requests.length
        const sessionTokens = await Promise.all(
          Array.from({ length: requests }, () => readSessionTokens(ada)),
        )
        const processes = new Set(ada.requests.slice(requestCount).map(({ process }) => process))
        const [first] = sessionTokens
        expect(new Set(sessionTokens.map((each) => JSON.stringify(each)))).toEqual(
          new Set([JSON.stringify(first)]),
        )
        expect(first?.error).toBeUndefined()
        expect(first?.accessToken).not.toBe(accessToken)
        expect(provider.count).toEqual({ granted: generation, refused: 0, revoked: 0 })
        expect(processes.size).toBe(4)
        accessToken = first?.accessToken
      }
    },
  )
}

/** The tokens of the provider in the session. */
interface SessionTokens {
  readonly accessToken: unknown
  readonly expiresAt: unknown
  readonly error: unknown
}

async function readSessionTokens({ browser }: ProxyClient): Promise<SessionTokens> {
  const session = await browser.getSession()
  if (!session) throw new Error("Signed out")
  const { accessToken, expiresAt, error } = session
  return { accessToken, expiresAt, error }
}
