/** Caches the results of a function by its arguments. A full cache drops its oldest result. */
export function memoize<Args extends readonly string[], Value>(
  create: (...args: Args) => Value,
  maxSize: number = Number.POSITIVE_INFINITY,
): (...args: Args) => Value {
  const cache = new Map<string, Value>()
  return (...args) => {
    const key = `${args[0]?.length} ${args.join("")}` // the length keeps two arguments apart
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    if (cache.size >= maxSize) cache.delete(cache.keys().next().value ?? "")
    const value = create(...args)
    cache.set(key, value)
    return value
  }
}
