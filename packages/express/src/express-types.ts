/** What is used of Express. Described, not imported: version 4 and version 5 both have it. */
import type { IncomingMessage, ServerResponse } from "node:http"

/** The parts of an Express request that the library reads. */
export interface ExpressRequest extends IncomingMessage {
  /** The request target, whatever routers made of `url`. */
  readonly originalUrl: string
  /** The part of the path that the mounts used up. */
  readonly baseUrl: string
  readonly params: object
  /** Follows `X-Forwarded-Proto` where the application trusts the proxy. */
  readonly protocol: string
  readonly app: { get(setting: string): unknown }
  /** What a body parser left; its absence proves nothing. */
  body?: unknown
  /** The answer to this request. */
  res?: ServerResponse | undefined
}

/** A middleware of Express. */
export type AuthMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>
