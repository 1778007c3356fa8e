import type { Interruption } from "@latchkey/testing/adapters"

type Method = (...parameters: unknown[]) => Promise<unknown>

/**
 * An in-memory adapter with a simulated connection: each call is a request and a response. The message at which the
 * connection breaks is lost.
 */
export function createInterruptibleAdapter<Adapter extends object>(
  adapter: Adapter,
): { interruptible: Adapter; interrupt(at: number): Interruption } {
  let remaining = Number.POSITIVE_INFINITY
  let wasInterrupted = false

  function passMessage(): void {
    if (remaining === 0) wasInterrupted = true
    remaining -= 1
    if (remaining === -1) throw new Error("connection lost")
  }

  const methods = Object.entries(adapter).map(([name, method]: [string, Method]) => [
    name,
    async (...parameters: unknown[]) => {
      passMessage()
      const result = await method(...parameters)
      passMessage()
      return result
    },
  ])
  return {
    // Every member is a method with the same parameters and result.
    interruptible: Object.fromEntries(methods) as Adapter,
    interrupt(at) {
      remaining = at
      wasInterrupted = false
      return {
        end() {
          remaining = Number.POSITIVE_INFINITY
          return wasInterrupted
        },
      }
    },
  }
}
