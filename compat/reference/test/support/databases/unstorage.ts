import { UnstorageAdapter } from "@auth/unstorage-adapter"
import type { Row } from "@latchkey/testing"
import { createStorage } from "unstorage"
import memory from "unstorage/drivers/memory"
import type { Kind } from "../kind.ts"

const unguarded = "a second record replaces the first: a key-value store has no constraints"

export const unstorage: Kind = {
  adapter: "@auth/unstorage-adapter",
  database: "memory",
  deletesOnlyWithSession: true,
  fails: {
    "2 createUser rejects an address that is taken": unguarded,
    "9 linkAccount rejects an account that is linked already, and leaves it alone": unguarded,
    "of two users who link an account at once, one gets it and the other is told": unguarded,
    "of two users who are created with one address at once, one is": unguarded,
    "of two first sign-ins of one person at once, one creates the user": unguarded,
    "of two first sign-ins of one person without an address at once, one creates the user":
      unguarded,
    "of 2 × 32 first sign-ins of one person without an address at once, one creates the user":
      unguarded,
    "of 2 × 32 first sign-ins of one person at once, one creates the user": unguarded,
    "a session that is deleted while it is renewed stays deleted":
      "a renewal reads and writes in two steps, and writes what was deleted meanwhile",
    "of 64 who use a verification token at once, one gets it":
      "a link that is opened several times at the same moment signs in each time",
    "17 deleteUser removes the user with all sessions and accounts, and nobody else's":
      "of several sessions of a user, only the latest is deleted",
  },
  async open() {
    const storage = createStorage({ driver: memory() })
    const read = async (key: string): Promise<Row> => {
      const row = await storage.getItem<Record<string, unknown>>(key)
      return row && withDates(row)
    }
    // Beside each record stands an index entry, and users are known by ids without a prefix.
    const count = async (shape: RegExp): Promise<number> =>
      (await storage.getKeys("user:")).filter((key) => shape.test(key)).length
    return {
      adapter: UnstorageAdapter(storage),
      db: {
        user: (id) => read(`user:${id}`),
        session: (sessionToken) => read(`user:session:${sessionToken}`),
        account: ({ provider, providerAccountId }) =>
          read(`user:account:${provider}:${providerAccountId}`),
        verificationToken: ({ identifier, token }) => read(`user:token:${identifier}:${token}`),
      },
      counts: async () => [
        await count(/^user:[\w-]+$/),
        await count(/^user:account:(?!by-user-id:)/),
        await count(/^user:session:(?!by-user-id:)/),
      ],
      clear: () => storage.clear(),
      [Symbol.asyncDispose]: () => storage.dispose(),
    }
  },
}

function withDates(row: Record<string, unknown>): object {
  const dates = ["emailVerified", "expires"]
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    dates.includes(name) && value ? new Date(String(value)) : value,
  ])
  return Object.fromEntries(entries)
}
