import type { AuthConfig, CallbacksOptions } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"

/** Any function that takes what a hook takes: the libraries of the contract type their parameters differently. */
type AnyFunction = (parameters: never) => unknown

/**
 * What a session is minted from: the configuration of the application, as it was written for `createAuth` or for
 * another library with the same contract. Members that no session depends on are not looked at.
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
}

/** An adapter of the contract, whichever library's types it has. */
export type TestSessionAdapter = {
  readonly [Method in keyof Adapter]?: ((...parameters: never[]) => unknown) | undefined
}
