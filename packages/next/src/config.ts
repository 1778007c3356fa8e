import type { AuthConfig } from "@latchkey/core"
import type { Session } from "@latchkey/core/types"
import type { NextRequest } from "next/server.js"

type Awaitable<Value> = Value | Promise<Value>

/** The callbacks of the core, and the one for the proxy. */
export interface NextAuthCallbacks extends NonNullable<AuthConfig["callbacks"]> {
  /**
   * Decides in the proxy whether a request may go on: `false` redirects to the sign-in page, a `Response` is sent as it is. It
   * is not a guard: components, actions and route handlers must call `requireSession`.
   */
  authorized?(params: {
    readonly request: NextRequest
    readonly auth: Session | null
  }): Awaitable<boolean | Response | undefined>
}

/** The configuration. It is compiled once, and never written to. */
export interface NextAuthConfig extends Omit<AuthConfig, "raw" | "callbacks"> {
  callbacks?: NextAuthCallbacks
  /**
   * The header in which your proxy or platform sends the address of the client, for limits on attempts, such as
   * `x-real-ip`. Of several addresses, the last one counts. Name only a header that clients cannot set. Without it, the
   * address is unknown, because Next.js passes the headers of clients on.
   */
  clientAddressHeader?: string
}

/**
 * Creates the configuration for a request, which is undefined where Next.js has none: in components, actions and the Pages
 * Router. Return the same object for the same configuration: each object is compiled once.
 */
export type LazyConfig<Config> = (request: NextRequest | undefined) => Awaitable<Config>
