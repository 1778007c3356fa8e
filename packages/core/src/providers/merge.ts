/** A record with the values of another laid over it. */
export type Fields = Readonly<Record<string, unknown>>

/** Whether a value is a record that is merged key by key, and not a thing of its own such as a key or URL. */
export function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const endpoints: ReadonlySet<string> = new Set(["authorization", "token", "userinfo"])

/**
 * Lays `over` on `base`: plain objects key by key, everything else replaces; undefined is skipped. An endpoint
 * that is text in one and an object in the other keeps its URL. Neither argument is changed.
 */
export function mergeDefinition(base: Fields, over: Fields): Fields {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === "__proto__") continue
    const below = endpoints.has(key) ? asObject(merged[key], value) : merged[key]
    merged[key] =
      isPlainObject(value) && isPlainObject(below) ? mergeDefinition(below, value) : value
  }
  return merged
}

function asObject(below: unknown, over: unknown): unknown {
  return typeof below === "string" && isPlainObject(over) ? { url: below } : below
}
