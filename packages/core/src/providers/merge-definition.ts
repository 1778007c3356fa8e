/** A record with the values of another laid over it. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value is a record that is merged key by key, and not a thing of its own such as a key or URL. */
export function isPlainObject(value: unknown): value is PlainObject {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

const endpointNames: ReadonlySet<string> = new Set(["authorization", "token", "userinfo"])

/**
 * Lays `over` on `base`: plain objects key by key, everything else replaces; undefined is skipped. An endpoint
 * that is text in one and an object in the other keeps its URL. Neither argument is changed.
 */
export function mergeDefinition(base: PlainObject, overrides: PlainObject): PlainObject {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(overrides)) {
    if (value === undefined || key === "__proto__") continue
    const current = endpointNames.has(key) ? toEndpointObject(merged[key], value) : merged[key]
    merged[key] =
      isPlainObject(value) && isPlainObject(current) ? mergeDefinition(current, value) : value
  }
  return merged
}

function toEndpointObject(current: unknown, overrides: unknown): unknown {
  return typeof current === "string" && isPlainObject(overrides) ? { url: current } : current
}
