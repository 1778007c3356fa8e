/** Runs the application's event handlers, whose failures never change a response. */
import { EventError } from "../errors.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { Logger } from "../logging/logger.ts"
import type { EventCallbacks } from "./auth-config.ts"

/** Runs the handler of an event; never rejects. */
export type EmitEvent = <Name extends keyof EventCallbacks>(
  event: Name,
  message: Parameters<EventCallbacks[Name]>[0],
) => Promise<void>

const createTimeoutError = () =>
  new TypeError(`It did not finish within ${backgroundTimeout / 1000} s`)

/** Creates the emitter. Handlers that fail, or take too long, are logged as `EventError`. */
export function createEventEmitter(events: Partial<EventCallbacks>, logger: Logger): EmitEvent {
  return async (event, message) => {
    try {
      const handler = events[event] as ((message: unknown) => unknown) | undefined
      if (!handler) return
      const handled = (async () => handler(message))()
      await withTimeout(backgroundTimeout, handled, createTimeoutError)
    } catch (cause) {
      logger.error(new EventError(`The handler of the event ${event} failed.`, { cause, event }))
    }
  }
}
