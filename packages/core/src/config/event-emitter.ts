/** Runs the application's event handlers, whose failures never change a response. */
import { EventError } from "../errors.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { Logger } from "../logging/logger.ts"
import { omitUndefined } from "../objects.ts"
import type { EventCallbacks } from "./auth-config.ts"

/** The message of an event without the request. Properties that are undefined are left out. */
type MessageOf<Name extends keyof EventCallbacks> = Parameters<
  EventCallbacks[Name]
>[0] extends infer Message
  ? Message extends unknown
    ? Omit<Message, "request">
    : never
  : never

/** Runs the handler of an event; never rejects. Calls of server code have no request. */
export type EmitEvent = <Name extends keyof EventCallbacks>(
  event: Name,
  message: MessageOf<Name>,
  context: SessionContext | undefined,
) => Promise<void>

/** Creates the emitter. Handlers that fail, or take too long, are logged as `EventError`. */
export function createEventEmitter(events: Partial<EventCallbacks>, logger: Logger): EmitEvent {
  return async (event, message, context) => {
    const handler = events[event] as ((message: object) => unknown) | undefined
    if (!handler) return
    try {
      const defined = omitUndefined(message)
      const received = context ? addRequest(defined, context) : defined
      const handled = (async () => handler(received))()
      await withTimeout(backgroundTimeout, handled, timeoutMessage)
    } catch (cause) {
      logger.error(
        new EventError({ summary: `The handler of the event ${event} failed.`, cause, event }),
      )
    }
  }
}

const timeoutMessage = `It did not finish within ${backgroundTimeout / 1000} s`
