/** A mistake of a developer, and the line that each place shows about it. */
import type { AuthMiddleware } from "@latchkey/express"
import type { ProviderFaults, ScriptedProviderOptions, TestBrowser } from "@latchkey/testing"
import type { Express } from "express"

/** Why a place cannot show anything. */
interface Unseen {
  readonly unseen: string
}

/** A finding of `latchkey doctor`. */
export interface DoctorLine {
  /** In addition to `--url`, the address of the running server. */
  readonly args?: readonly string[]
  readonly code: string
  readonly what: RegExp
  readonly fix: RegExp
}

/** One line of the server's log. */
export interface LogLine {
  readonly type: string
  /** The key words: what is wrong, then how to fix it. */
  readonly words: readonly RegExp[]
  /** The only mode in which it is logged. @defaultValue both */
  readonly mode?: Mode
}

/** The text of the last page that the browser shows. */
type PageText = Readonly<Record<Mode, RegExp>>

export type Mode = "development" | "production"

export interface Misconfiguration {
  readonly mistake: string
  /** The files of the application; `auth.mjs` exports the configuration. */
  readonly files: Readonly<Record<string, string>>
  /** Changes to the environment. `{issuer}` and `{origin}` stand for those of the provider and the server. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly provider?: ScriptedProviderOptions & { readonly faults?: ProviderFaults }
  /** Mounts the middleware. @defaultValue `app.use("/auth", auth)` */
  readonly mount?: (app: Express, auth: AuthMiddleware) => void
  /** The origin that the browser shows. @defaultValue that of the server */
  readonly origin?: string
  /** @defaultValue opens the sign-in page */
  readonly trigger?: TriggerMistake
  readonly doctor: DoctorLine | Unseen
  readonly terminal: LogLine | Unseen
  readonly browser: PageText | Unseen
}

/** Sends requests until the mistake shows. Returns the last response; redirects are followed. */
export type TriggerMistake = (browser: TestBrowser, site: Site) => Promise<Response>

/** The provider, as the browser reaches it. */
export interface Site {
  /** Responds to an authorization request: with a redirect, or with the provider's error page. */
  authorize(browser: TestBrowser, authorizationUrl: string): Promise<Response>
}
