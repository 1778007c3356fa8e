/** Calls the application's event handlers. Only applications that have one load this module. */
import { EventError } from "../errors.ts"
import { addRequest } from "../http/request-view.ts"
import type { SessionContext } from "../http/session-context.ts"
import { backgroundTimeout, withTimeout } from "../http/timeout.ts"
import type { Logger } from "../logging/logger.ts"
import { omitUndefined } from "../objects.ts"

export type EventHandler = (message: object) => unknown

const createTimeoutError = () =>
  new TypeError(`It did not finish within ${backgroundTimeout / 1000} s`)

/** Calls a handler, and logs its failure. Never rejects. */
export async function callEventHandler(
  handler: EventHandler,
  event: string,
  message: object,
  context: SessionContext | undefined,
  logger: Logger,
): Promise<void> {
  try {
    const defined = omitUndefined(message)
    const received = context ? addRequest(defined, context) : defined
    const handled = (async () => handler(received))()
    await withTimeout(backgroundTimeout, handled, createTimeoutError)
  } catch (cause) {
    logger.error(new EventError(`The handler of the event ${event} failed.`, { cause, event }))
  }
}
