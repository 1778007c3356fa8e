import type { AuthConfig, CallbacksOptions } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"

/** Any function: libraries with the same interface type the parameters differently. */
type AnyFunction = (parameters: never) => unknown

/**
 * The configuration of the application, as you pass it to `createAuth` or Auth.js. Members that do not affect sessions
 * are ignored.
 */
export type TestSessionConfig = {
  readonly [Option in Exclude<keyof AuthConfig, keyof SessionRelatedConfig>]?: unknown
} & SessionRelatedConfig

interface SessionRelatedConfig {
  readonly secret?: string | readonly string[] | undefined
  readonly adapter?: TestSessionAdapter | undefined
  readonly session?:
    | {
        readonly strategy?: "jwt" | "database" | undefined
        /** Seconds. */
        readonly maxAge?: number | undefined
        readonly updateAge?: number | undefined
        readonly generateSessionToken?: (() => string) | undefined
      }
    | undefined
  readonly jwt?:
    | {
        readonly secret?: string | readonly string[] | undefined
        readonly maxAge?: number | undefined
        readonly encode?: AnyFunction | undefined
        readonly decode?: AnyFunction | undefined
      }
    | undefined
  readonly callbacks?:
    | { readonly [Name in keyof CallbacksOptions]?: AnyFunction | undefined }
    | undefined
  readonly cookies?: AuthConfig["cookies"] | { readonly sessionToken?: object } | undefined
  readonly useSecureCookies?: boolean | undefined
  readonly useHostPrefix?: AuthConfig["useHostPrefix"]
}

/** An adapter with the types of any library. */
export type TestSessionAdapter = {
  readonly [Method in keyof Adapter]?: ((...parameters: never[]) => unknown) | undefined
}
