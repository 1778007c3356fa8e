/** Sorted sets that name what belongs together, by expiry. They shrink and expire by themselves. */
import { type Connection, toTexts } from "../client/connection.ts"
import { createScript } from "../client/script.ts"
import { computeLifetime, computeRemovalThreshold } from "./record-lifetime.ts"

/**
 * Lua: `addToIndex(index, member, expires, lifetime, removalThreshold)` adds a member to a sorted set with its expiry,
 * which only increases, removes members that expired before the threshold, and extends the set's lifetime to the
 * member's.
 */
export const addToIndexLua = `
local function addToIndex(index, member, expires, lifetime, removalThreshold)
  redis.call("ZREMRANGEBYSCORE", index, "-inf", removalThreshold)
  redis.call("ZADD", index, "GT", expires, member)
  if redis.call("PTTL", index) < tonumber(lifetime) then redis.call("PEXPIRE", index, lifetime) end
end`

const addMemberScript = createScript(`${addToIndexLua}
addToIndex(KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4])
return "done"`)

const listMembersScript = createScript(
  `return redis.call("ZRANGEBYSCORE", KEYS[1], ARGV[1], "+inf")`,
)

const removeMemberScript = createScript(`return redis.call("ZREM", KEYS[1], ARGV[1])`)

/** Access to the sorted sets. */
export interface IndexStore {
  readonly connection: Connection
  /** How long expired members are kept, in milliseconds. */
  readonly keepExpired: number
}

/** Adds a member, or extends its expiry. */
export async function addMember(
  { connection, keepExpired }: IndexStore,
  operation: string,
  index: string,
  { member, expires }: { readonly member: string; readonly expires: Date },
): Promise<void> {
  const values = [
    member,
    String(expires.getTime()),
    computeLifetime(expires, keepExpired),
    computeRemovalThreshold(keepExpired),
  ]
  await connection.run(operation, addMemberScript, [index], values)
}

/**
 * Returns the members.
 * @param since leaves out members that expired before, in milliseconds since 1970
 */
export async function listMembers(
  connection: Connection,
  operation: string,
  index: string,
  since: number | "-inf" = "-inf",
): Promise<string[]> {
  return toTexts(await connection.run(operation, listMembersScript, [index], [String(since)]))
}

/** Removes a member. */
export async function removeMember(
  connection: Connection,
  operation: string,
  index: string,
  member: string,
): Promise<void> {
  await connection.run(operation, removeMemberScript, [index], [member])
}
