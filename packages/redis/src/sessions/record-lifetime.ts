/** When Redis removes things. */

/** How long something is kept that expires at a date, in milliseconds from now, as text. */
export function computeLifetime(expires: Date, keepExpired: number): string {
  return String(Math.max(expires.getTime() - Date.now(), 0) + keepExpired)
}

/** What expired before this is gone, in milliseconds since 1970, as text. */
export function computeRemovalThreshold(keepExpired: number): string {
  return String(Date.now() - keepExpired)
}

/**
 * Lua: `note(set, name, expires, lifetime, forgotten)` puts a name into a sorted set by its expiry, which only moves
 * on; takes out what is gone; and lets the set live as long as what it names.
 */
export const addToIndexLua = `
local function note(set, name, expires, lifetime, forgotten)
  redis.call("ZREMRANGEBYSCORE", set, "-inf", forgotten)
  redis.call("ZADD", set, "GT", expires, name)
  if redis.call("PTTL", set) < tonumber(lifetime) then redis.call("PEXPIRE", set, lifetime) end
end`
