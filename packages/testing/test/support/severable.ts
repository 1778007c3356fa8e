import type { Interruption } from "@latchkey/testing/adapters"

type Method = (...parameters: unknown[]) => Promise<unknown>

/**
 * An adapter in memory, as if it were reached by a connection: each call is two messages, there and back. The one at
 * which the connection breaks is lost.
 */
export function severable<Adapter extends object>(
  adapter: Adapter,
): { severed: Adapter; interrupt(at: number): Interruption } {
  let left = Number.POSITIVE_INFINITY
  let broken = false

  function message(): void {
    if (left === 0) broken = true
    left -= 1
    if (left === -1) throw new Error("connection lost")
  }

  const methods = Object.entries(adapter).map(([name, method]: [string, Method]) => [
    name,
    async (...parameters: unknown[]) => {
      message()
      const result = await method(...parameters)
      message()
      return result
    },
  ])
  return {
    // Every member is a method with the same parameters and result.
    severed: Object.fromEntries(methods) as Adapter,
    interrupt(at) {
      left = at
      broken = false
      return {
        end() {
          left = Number.POSITIVE_INFINITY
          return broken
        },
      }
    },
  }
}
