/** The client of a quick start at Alder ID, which stands in for Google. */
import { readFileSync } from "node:fs"
import type { Environment } from "../catalogue.ts"
import type { TenantProvider } from "../tenant-provider.ts"

const client = { id: "quick-start", secret: "known-to-alder-id", name: "The quick start" }

export interface QuickStartClient {
  /** The path of the redirect URI that the page names. */
  readonly callbackPath: string
  /** The variables that the reader adds to `.env`. */
  readonly values: Environment
  /** Registers the client for an application at another origin. */
  register(origin: string): void
}

/** Registers the client with the redirect URI that the page names. */
export function registerQuickStartClient(page: string, provider: TenantProvider): QuickStartClient {
  const redirectUri = /http:\/\/localhost:\d+\S*\/callback\/google/.exec(readFileSync(page, "utf8"))
  if (!redirectUri) throw new Error(`${page} names no redirect URI.`)
  const { origin, pathname } = new URL(redirectUri[0])
  const register = (homeUrl: string) =>
    provider.registerClient({ ...client, redirectUri: homeUrl + pathname, homeUrl })
  register(origin)
  return {
    callbackPath: pathname,
    values: {
      AUTH_GOOGLE_ID: client.id,
      AUTH_GOOGLE_SECRET: client.secret,
      AUTH_GOOGLE_ISSUER: provider.origin,
    },
    register,
  }
}
