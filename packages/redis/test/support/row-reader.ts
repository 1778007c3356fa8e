/** Reads what is in Redis without the adapter. */
import type { RowReader } from "@latchkey/testing"
import { createClient } from "redis"

/** A reader that is closed afterwards. */
export interface RedisRowReader extends RowReader {
  /** All keys of a prefix, with what is left of their lives in milliseconds; -1 for ever. */
  keys(prefix: string): Promise<Record<string, number>>
  /** The names in a sorted set. */
  membersOf(set: string): Promise<string[]>
  /** How many fields a hash has. */
  sizeOf(hash: string): Promise<number>
  close(): void
}

const dates = ["emailVerified", "expires"]

/** @param braces whether the keys are those of `RedisAdapter`, which are in one slot */
export async function createRowReader(
  url: string,
  prefix: string,
  braces = true,
): Promise<RedisRowReader> {
  const client = await createClient({ url }).connect()
  const tag = braces ? `{${prefix}}` : prefix
  const read = async (hash: string, field: string) =>
    parseRow(await client.hGet(`${tag}:${hash}`, field))
  return {
    user: (id) => read("users", id),
    account: ({ provider, providerAccountId }) =>
      read("accounts", JSON.stringify([provider, providerAccountId])),
    authenticator: (credentialID) => read("passkeys", credentialID),
    async session(sessionToken) {
      const text = await client.get(`${tag}:session:${sessionToken}`)
      const [, expires, userId] = text?.match(/^(\d+) (.*)$/s) ?? []
      return text === null ? null : { sessionToken, userId, expires: new Date(Number(expires)) }
    },
    async verificationToken({ identifier, token }) {
      const expires = await client.zScore(`${tag}:tokens-of:${identifier}`, token)
      return expires === null ? null : { identifier, token, expires: new Date(expires) }
    },
    async keys(prefixFilter) {
      const found: Record<string, number> = {}
      for await (const keys of client.scanIterator({ MATCH: `*${prefixFilter}*`, COUNT: 1000 })) {
        for (const key of keys) found[key.replace(tag, "")] = await client.pTTL(key)
      }
      return found
    },
    membersOf: (set) => client.zRange(set, 0, -1),
    sizeOf: (hash) => client.hLen(hash),
    close: () => client.destroy(),
  }
}

function parseRow(text: string | null): object | null {
  if (text === null) return null
  const record: Record<string, unknown> = JSON.parse(text)
  const entries = Object.entries(record).map(([name, value]) =>
    dates.includes(name) ? [name, new Date(Number(value))] : [name, value],
  )
  return Object.fromEntries(entries)
}
