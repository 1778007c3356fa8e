/** `auth.accounts` and `auth.users` on this store. */
import { randomUUID } from "node:crypto"
import { createAuth } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import type { OAuthConfig } from "@latchkey/core/providers"
import { defineEntities, MikroOrmAdapter } from "@latchkey/mikro-orm"
import { describe, expect, test } from "vitest"
import { databaseKinds } from "./support/database-kinds.ts"

const provider = (id: string): OAuthConfig => ({
  id,
  name: id,
  type: "oauth",
  clientId: id,
  clientSecret: "a secret of the provider",
  authorization: `https://${id}.example/authorize`,
  token: `https://${id}.example/token`,
  userinfo: `https://${id}.example/userinfo`,
})
const providers = ["one", "two", "three", "four"].map(provider)

/** Two servers of an application with the same database. */
function createServers(adapter: Adapter) {
  const logger = { error() {}, warn() {} }
  const config = {
    providers,
    adapter,
    logger,
    trustHost: true,
    secret: "s3cr3t of 32 characters, or more",
  }
  return [createAuth(config), createAuth(config)] as const
}

/** Stores a user with four accounts, and unlinks all at once on both servers. Returns the outcomes. */
async function unlinkAll(adapter: Required<Pick<Adapter, "createUser" | "linkAccount">>) {
  const servers = createServers(adapter)
  const email = `${randomUUID()}@example.com`
  const { id: userId } = await adapter.createUser({ id: randomUUID(), email, emailVerified: null })
  const providerAccountId = randomUUID()
  for (const { id } of providers)
    await adapter.linkAccount({ userId, provider: id, type: "oauth", providerAccountId })
  const session = { createdAt: new Date() }
  const unlinked = providers.map(({ id }, index) =>
    servers[index % 2 === 0 ? 0 : 1].accounts.unlink({
      userId,
      provider: id,
      providerAccountId,
      session,
    }),
  )
  const outcomes = await Promise.allSettled(unlinked)
  const refusals = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []))
  return { left: await servers[0].accounts.list(userId), refusals, userId, users: servers[0].users }
}

describe.each(databaseKinds)("on $name", (kind) => {
  test.skipIf(kind.unavailableReason !== undefined)(
    "of parallel requests to unlink every account, the last one is refused",
    async () => {
      await using database = await kind.create(defineEntities())
      const adapter = MikroOrmAdapter(database.orm)
      const { left, refusals, userId, users } = await unlinkAll(adapter)
      expect(refusals.map(({ type }) => type)).toEqual(["LastAccount"])
      expect(left).toHaveLength(1)
      expect(await users.delete(userId)).toMatchObject({ id: userId })
      expect(await adapter.listAccounts(userId)).toEqual([])
      expect(await users.delete(userId)).toBeNull()
    },
  )
})
