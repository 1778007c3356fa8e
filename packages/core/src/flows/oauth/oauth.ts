/** Sign-in with OAuth 2 and OpenID Connect providers. */
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import type { Exchange, Visit } from "../../http/exchange.ts"
import { basePrefix } from "../../http/route.ts"
import type { ResolvedOAuthProvider } from "../../providers/resolved.ts"
import type { LinkRequest, Proof } from "../proof.ts"
import { authorize } from "./authorize.ts"
import { proveOAuth } from "./callback.ts"
import type { MetadataMemory } from "./metadata-memory.ts"

export interface OAuthFlow {
  /** The URL to send the browser to. */
  begin(
    visit: Visit,
    provider: ResolvedOAuthProvider,
    beginning: {
      readonly callbackUrl: string
      readonly parameters: Readonly<Record<string, string>>
      readonly link: LinkRequest | undefined
    },
  ): Promise<string>
  prove(exchange: Exchange, provider: ResolvedOAuthProvider): Promise<Proof>
}

/** Creates the flow; metadata and keys are remembered per configured provider. */
export function createOAuthFlow(config: ResolvedConfig, metadataOf: MetadataMemory): OAuthFlow {
  const callbackOf = (visit: Visit, { id }: ResolvedOAuthProvider): string =>
    `${visit.origin}${basePrefix(config.basePath)}/callback/${id}`
  return {
    begin(visit, provider, beginning) {
      const ownCallback = callbackOf(visit, provider)
      return authorize(visit, provider, metadataOf(provider), { ...beginning, ownCallback }, config)
    },
    prove(exchange, provider) {
      const ownCallback = callbackOf(exchange, provider)
      return proveOAuth(exchange, provider, metadataOf(provider), ownCallback, config)
    },
  }
}
