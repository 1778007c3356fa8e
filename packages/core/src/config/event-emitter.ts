/** Runs the application's event handlers, whose failures never change a response. */
import type { SessionContext } from "../http/session-context.ts"
import { loadOnFirstCall } from "../load-on-first-call.ts"
import type { Logger } from "../logging/logger.ts"
import type { EventCallbacks } from "./auth-config.ts"
import type { EventHandler } from "./event-handler.ts"

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

const callEventHandler = loadOnFirstCall(
  async () => (await import("./event-handler.ts")).callEventHandler,
)

/** Creates the emitter. Handlers that fail, or take too long, are logged as `EventError`. */
export function createEventEmitter(events: Partial<EventCallbacks>, logger: Logger): EmitEvent {
  return async (event, message, context) => {
    const handler = events[event] as EventHandler | undefined
    if (!handler) return
    const handling = callEventHandler(handler, event, message, context, logger)
    await handling.catch((error) => logger.error(error)) // the code that calls it could not be loaded
  }
}
