/** A provider's refresh token is spent once, however many requests want its access token at how many processes. */
import { expect, test } from "vitest"
import { databases } from "../databases/all.ts"
import { openHouse } from "../house.ts"
import { startRotatingProvider } from "../rotating-provider.ts"
import type { Visitor } from "../visitor.ts"

const generations = 50
const requests = 400

for (const { name, isInstalled, start } of databases) {
  test.skipIf(!isInstalled)(`one refresh for all, on ${name}`, { timeout: 300_000 }, async () => {
    await using server = await start()
    await using house = await openHouse({
      variant: "processes",
      entry: "dist/rotation.js",
      databaseUrl: server.url,
      provider: (origin) => startRotatingProvider(`${origin}/auth/callback/tenantidp`),
    })
    const { provider } = house
    const ada = house.visitor()
    await ada.browser.open(await provider.approve(await ada.browser.begin("tenantidp")))
    let { accessToken } = await seenBy(ada)
    for (let generation = 1; generation <= generations; generation += 1) {
      await ada.browser.update({})
      const before = ada.steps.length
      const seen = await Promise.all(Array.from({ length: requests }, () => seenBy(ada)))
      const asked = new Set(ada.steps.slice(before).map(({ process }) => process))
      const [first] = seen
      expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
        new Set([JSON.stringify(first)]),
      )
      expect(first?.error).toBeUndefined()
      expect(first?.accessToken).not.toBe(accessToken)
      expect(provider.count).toEqual({ granted: generation, refused: 0, revoked: 0 })
      expect(asked.size).toBe(4)
      accessToken = first?.accessToken
    }
  })
}

/** What the session shows of the provider's tokens. */
interface Seen {
  readonly accessToken: unknown
  readonly expiresAt: unknown
  readonly error: unknown
}

async function seenBy({ browser }: Visitor): Promise<Seen> {
  const session = await browser.session()
  if (!session) throw new Error("Signed out")
  const { accessToken, expiresAt, error } = session
  return { accessToken, expiresAt, error }
}
