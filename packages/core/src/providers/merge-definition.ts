import { isPlainObject } from "../objects.ts"

/** An object literal, or an object without a prototype. */
export type PlainObject = Readonly<Record<string, unknown>>

const endpointNames: ReadonlySet<string> = new Set(["authorization", "token", "userinfo"])

/**
 * Returns `base` with `overrides` merged in: plain objects are merged key by key, other values replace, and undefined
 * is skipped. If an endpoint is a string in `base` and an object in `overrides`, its URL is kept.
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
