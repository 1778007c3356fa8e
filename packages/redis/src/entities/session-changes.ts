/**
 * Changes of sessions. All are in one slot, so that one script replaces, publishes and removes them. A message names
 * only the key, and the change is read: applications on other databases of the same server share the channels.
 */
import { parseText, parseValue } from "@latchkey/adapter-kit"
import type { SessionChange, SessionRecordStore } from "@latchkey/core/adapters"
import { toTextOrNull, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import { watchChannel } from "../client/watch-channel.ts"
import { computeLifetime, computeRemovalThreshold } from "../sessions/record-lifetime.ts"
import type { RecordStore } from "../store.ts"

/** The methods for changes. */
type ChangeMethods = Pick<
  Required<SessionRecordStore>,
  "listSessionChanges" | "saveSessionChange" | "watchSessionChanges"
>

/**
 * Each call adds one change, and removes up to a hundred that have expired. A message arrives after the script has
 * stored the change.
 */
const saveChangeScript = createScript(`
local values, times, expiries = KEYS[1], KEYS[2], KEYS[3]
local key, changedAt, expires, value, lifetime = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local expired = redis.call("ZRANGEBYSCORE", expiries, "-inf", ARGV[6], "LIMIT", 0, 100)
for _, each in ipairs(expired) do
  redis.call("HDEL", values, each)
  redis.call("ZREM", times, each)
  redis.call("ZREM", expiries, each)
end
local stored = redis.call("ZSCORE", times, key)
if stored and tonumber(stored) > tonumber(changedAt) then return "done" end
redis.call("PUBLISH", ARGV[7], key)
redis.call("HSET", values, key, value)
redis.call("ZADD", times, changedAt, key)
redis.call("ZADD", expiries, expires, key)
for _, each in ipairs(KEYS) do
  if redis.call("PTTL", each) < tonumber(lifetime) then redis.call("PEXPIRE", each, lifetime) end
end
return "done"`)

const readChangeScript = createScript(`return redis.call("HGET", KEYS[1], ARGV[1])`)

/** Returns keys and values by turns. */
const listChangesScript = createScript(`
local found = {}
for _, key in ipairs(redis.call("ZRANGEBYSCORE", KEYS[2], ARGV[1], "+inf")) do
  local value = redis.call("HGET", KEYS[1], key)
  if value then
    table.insert(found, key)
    table.insert(found, value)
  end
end
return found`)

/** Creates the methods for changes. */
export function createChangeMethods(store: RecordStore): ChangeMethods {
  const { connection, keepExpired, keys } = store
  const { channel, expiries, times, values } = keys.changes
  return {
    watchSessionChanges: buildWatchSessionChanges(store),
    async saveSessionChange(change) {
      const changedAt = parseValue("date", change.changedAt, "SessionChange.changedAt")
      const expires = parseValue("date", change.expires, "SessionChange.expires")
      const details = parseText(change.details, "SessionChange.details")
      await connection.run(
        "saveSessionChange",
        saveChangeScript,
        [values, times, expiries],
        [
          parseText(change.key, "SessionChange.key"),
          String(changedAt.getTime()),
          String(expires.getTime()),
          changeToText({ changedAt, expires, details }),
          computeLifetime(expires, keepExpired),
          computeRemovalThreshold(keepExpired),
          channel,
        ],
      )
    },
    async listSessionChanges(since) {
      const start = String(parseValue("date", since, "since").getTime())
      const reply = await connection.run(
        "listSessionChanges",
        listChangesScript,
        [values, times],
        [start],
      )
      const texts = toTexts(reply)
      const found = texts.flatMap((key, at) =>
        at % 2 === 0 ? changeFromText(key, texts[at + 1]) : [],
      )
      return found.filter(({ expires }) => expires.getTime() > Date.now())
    },
  }
}

function buildWatchSessionChanges(store: RecordStore): ChangeMethods["watchSessionChanges"] {
  const operation = "watchSessionChanges"
  const { client, connection, keys, timeout } = store
  const { channel, values } = keys.changes
  const readMessage = async (key: string): Promise<SessionChange[]> => {
    const text = toTextOrNull(await connection.run(operation, readChangeScript, [values], [key]))
    return changeFromText(key, text)
  }
  return async (onChange, onInterruption) => {
    const onValue = (found: readonly SessionChange[]): void => {
      for (const change of found) onChange(change)
    }
    const watch = { operation, channel, timeout, readMessage, onValue, onInterruption }
    return watchChannel(client, watch)
  }
}

/** A change is stored as its time and expiry in milliseconds since 1970, and its details, separated by spaces. */
function changeToText({ changedAt, expires, details }: Omit<SessionChange, "key">): string {
  return `${changedAt.getTime()} ${expires.getTime()} ${details}`
}

/** Parses a change. Returns none for a missing text. */
function changeFromText(key: string, text: string | null | undefined): SessionChange[] {
  const [, changedAt, expires, details] = /^(\S+) (\S+) (.*)$/s.exec(text ?? "") ?? []
  if (details === undefined) return []
  return [
    { key, changedAt: new Date(Number(changedAt)), expires: new Date(Number(expires)), details },
  ]
}
