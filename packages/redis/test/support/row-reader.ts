/** Reads Redis without the adapter. */
import type { RowReader } from "@latchkey/testing"
import { createClient } from "redis"

/** A reader that must be closed. */
export interface RedisRowReader extends RowReader {
  /** Returns all keys with a prefix, and their remaining lifetime in milliseconds; -1 if they do not expire. */
  keys(prefix: string): Promise<Record<string, number>>
  /** Returns the members of a sorted set. */
  membersOf(set: string): Promise<string[]>
  /** Returns the number of fields of a hash. */
  sizeOf(hash: string): Promise<number>
  close(): void
}

const dates = ["emailVerified", "expires"]

/** @param braces whether the keys are those of `RedisAdapter`, which share a slot */
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
