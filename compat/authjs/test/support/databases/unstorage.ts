import { UnstorageAdapter } from "@auth/unstorage-adapter"
import type { Row } from "@latchkey/testing"
import { createStorage } from "unstorage"
import memory from "unstorage/drivers/memory"
import type { AdapterSetup } from "../adapter-setup.ts"

const noUniqueConstraints =
  "a second record replaces the first: a key-value store has no constraints"

export const unstorageSetup: AdapterSetup = {
  adapter: "@auth/unstorage-adapter",
  database: "memory",
  deletesOnlyWithSession: true,
  knownFailures: {
    "createUser rejects an address that is taken": noUniqueConstraints,
    "createSession does not replace the session of another user": noUniqueConstraints,
    "linkAccount rejects a linked account, and does not change it": noUniqueConstraints,
    "of two users who link the same account concurrently, one succeeds and the other is rejected":
      noUniqueConstraints,
    "of two users with the same address that are created concurrently, one is stored":
      noUniqueConstraints,
    "two concurrent first sign-ins of one person create one user": noUniqueConstraints,
    "two concurrent first sign-ins of one person without an address create one user":
      noUniqueConstraints,
    "64 concurrent first sign-ins of one person without an address create one user":
      noUniqueConstraints,
    "64 concurrent first sign-ins of one person create one user": noUniqueConstraints,
    "a session that is deleted while it is renewed stays deleted":
      "a renewal reads and writes in two steps, and writes what was deleted meanwhile",
    "of 64 concurrent uses of a verification token, one succeeds":
      "a link that is opened several times at the same moment signs in each time",
    "deleteUser removes the user with all sessions and accounts, and no others":
      "of several sessions of a user, only the latest is deleted",
    "no user gets the id of a deleted one": "a user without a session cannot be deleted",
  },
  async openDatabase() {
    const storage = createStorage({ driver: memory() })
    const read = async (key: string): Promise<Row> => {
      const row = await storage.getItem<Record<string, unknown>>(key)
      return row && parseDates(row)
    }
    // Each record also has an index entry, and the ids of users have no prefix.
    const count = async (keyPattern: RegExp): Promise<number> =>
      (await storage.getKeys("user:")).filter((key) => keyPattern.test(key)).length
    return {
      adapter: UnstorageAdapter(storage),
      db: {
        user: (id) => read(`user:${id}`),
        session: (sessionToken) => read(`user:session:${sessionToken}`),
        account: ({ provider, providerAccountId }) =>
          read(`user:account:${provider}:${providerAccountId}`),
        verificationToken: ({ identifier, token }) => read(`user:token:${identifier}:${token}`),
      },
      countRows: async () => [
        await count(/^user:[\w-]+$/),
        await count(/^user:account:(?!by-user-id:)/),
        await count(/^user:session:(?!by-user-id:)/),
      ],
      deleteRows: () => storage.clear(),
      [Symbol.asyncDispose]: () => storage.dispose(),
    }
  },
}

function parseDates(row: Record<string, unknown>): object {
  const dates = ["emailVerified", "expires"]
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    dates.includes(name) && value ? new Date(String(value)) : value,
  ])
  return Object.fromEntries(entries)
}
