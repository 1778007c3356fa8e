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
 * Lua: `note(set, name, expires, lifetime, forgotten)` adds a name to a sorted set with its expiry, which only
 * increases, removes what expired before `forgotten`, and extends the set's lifetime to that of the name.
 */
export const addToIndexLua = `
local function note(set, name, expires, lifetime, forgotten)
  redis.call("ZREMRANGEBYSCORE", set, "-inf", forgotten)
  redis.call("ZADD", set, "GT", expires, name)
  if redis.call("PTTL", set) < tonumber(lifetime) then redis.call("PEXPIRE", set, lifetime) end
end`
