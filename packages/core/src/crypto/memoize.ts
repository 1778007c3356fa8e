/** Caches the results of a function by its arguments. A full cache drops the result whose last use is longest ago. */
export function memoize<Args extends readonly string[], Value>(
  create: (...args: Args) => Value,
  maxSize: number = Number.POSITIVE_INFINITY,
): (...args: Args) => Value {
  const cache = new Map<string, Value>()
  return (...args) => {
    const [first = ""] = args
    const key = args.length === 1 ? first : `${first.length} ${args.join("")}` // the length keeps two arguments apart
    const cached = cache.get(key)
    if (cached !== undefined && maxSize === Number.POSITIVE_INFINITY) return cached
    const value = cached ?? create(...args)
    cache.delete(key)
    cache.set(key, value)
    const [oldestKey = key] = cache.keys()
    if (cache.size > maxSize) cache.delete(oldestKey)
    return value
  }
}
