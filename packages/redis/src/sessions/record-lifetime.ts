/** When Redis removes keys. */

/** Returns how long to keep something with this expiry, in milliseconds from now, as text. */
export function computeLifetime(expires: Date, keepExpired: number): string {
  return String(Math.max(expires.getTime() - Date.now(), 0) + keepExpired)
}

/** Returns the expiry before which everything is removed, in milliseconds since 1970, as text. */
export function computeRemovalThreshold(keepExpired: number): string {
  return String(Date.now() - keepExpired)
}

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
