/** The parts of Express that this package uses, declared here to fit version 4 and version 5. */
import type { IncomingMessage, ServerResponse } from "node:http"

/** The parts of an Express request that the library reads. */
export interface ExpressRequest extends IncomingMessage {
  /** The request target. Routers change `url`, but not this. */
  readonly originalUrl: string
  /** The part of the path that the mounts matched. */
  readonly baseUrl: string
  readonly params: object
  /** Follows `X-Forwarded-Proto` if the application trusts the proxy. */
  readonly protocol: string
  /** The address of the client. Follows `X-Forwarded-For` if the application trusts the proxy. */
  readonly ip?: string | undefined
  readonly app: { get(setting: string): unknown }
  /** The result of a body parser. It may be absent although the body has been read. */
  body?: unknown
  /** The response to this request. */
  res?: ServerResponse | undefined
}

/** A middleware of Express. */
export type AuthMiddleware = (
  req: ExpressRequest,
  res: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>
