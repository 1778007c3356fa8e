import { customFetch } from "@latchkey/core"
import type { ProviderState } from "./provider-state.ts"
import type { Claims } from "./types.ts"

/** The client registration of an application, as options of a provider factory. */
export interface ClientOptions {
  clientId: string
  clientSecret: string
  issuer: string
  /** Absent once the provider listens on a port. */
  [customFetch]?: typeof fetch
}

/** A provider object of type `oidc`. */
export interface OidcConfiguration extends ClientOptions {
  id: string
  name: string
  type: "oidc"
}

/** A provider object of type `oauth`, with all endpoints. */
export interface OAuthConfiguration extends Omit<ClientOptions, "issuer"> {
  id: string
  name: string
  type: "oauth"
  issuer?: string
  authorization: { url: string; params: { scope: string } }
  token: string
  userinfo: string
  profile: (profile: Claims) => ScriptedProfile
}

/** The result of `profile` in the OAuth configuration. */
export interface ScriptedProfile {
  // Declared as Latchkey's `profile` declares it. Tests send ids of other types on purpose.
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A configuration with some members replaced. */
export type OverrideProperties<Base, Changes> = Omit<Base, keyof Changes> & Changes

/** Creates options for a factory such as `TenantIdp(options)`. */
export function createClientOptions(
  state: ProviderState,
  fetch: typeof globalThis.fetch | undefined,
): ClientOptions {
  const { clientId, clientSecret, issuer } = state
  return { clientId, clientSecret, issuer, ...(fetch && { [customFetch]: fetch }) }
}

/** Creates a provider object that relies on discovery. */
export function createOidcConfiguration(
  state: ProviderState,
  options: ClientOptions,
): OidcConfiguration {
  return { id: state.id, name: "Scripted", type: "oidc", ...options }
}

/** Creates a provider object with all endpoints, which reads userinfo. */
export function createOAuthConfiguration(
  state: ProviderState,
  options: ClientOptions,
): OAuthConfiguration {
  const { endpoints } = state
  const { issuer, ...client } = options
  const isSocial = state.dialect === "social"
  const scope = isSocial ? "login:info login:email login:avatar" : "profile email"
  return {
    id: state.id,
    name: "Scripted",
    type: "oauth",
    ...client,
    ...(!isSocial && { issuer }),
    authorization: { url: endpoints.authorize, params: { scope } },
    token: endpoints.token,
    userinfo: endpoints.userinfo,
    profile: isSocial ? mapSocialProfile : mapOidcProfile,
  }
}

// Claims are `unknown` here. The casts pass them on unchecked, because tests verify how Latchkey handles ids that are
// not text.
function mapOidcProfile({ sub, name, email, picture }: Claims): ScriptedProfile {
  return { id: sub, name, email, image: picture } as ScriptedProfile
}

function mapSocialProfile({ id, display_name, default_email }: Claims): ScriptedProfile {
  return { id, name: display_name, email: default_email } as ScriptedProfile
}
