import { customFetch } from "@latchkey/core"
import type { ProviderState } from "./provider-state.ts"
import type { Claims } from "./types.ts"

/** What an application gets from the provider when it registers, in the options of any provider factory. */
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

/** A provider object of type `oauth`, with every endpoint written out. */
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

/** What `profile` of the OAuth configuration makes of a userinfo answer. */
export interface ScriptedProfile {
  // The annotation of the library's own `profile` result: an id of another type is what tests send on purpose.
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A configuration with some of its members replaced. */
export type OverrideProperties<Base, Changes> = Omit<Base, keyof Changes> & Changes

/** Options for a factory such as `TenantIdp(options)`. */
export function createClientOptions(
  state: ProviderState,
  fetch: typeof globalThis.fetch | undefined,
): ClientOptions {
  const { clientId, clientSecret, issuer } = state
  return { clientId, clientSecret, issuer, ...(fetch && { [customFetch]: fetch }) }
}

/** The provider as an application writes it down that relies on discovery. */
export function createOidcConfiguration(
  state: ProviderState,
  options: ClientOptions,
): OidcConfiguration {
  return { id: state.id, name: "Scripted", type: "oidc", ...options }
}

/** The provider as an application writes it down that knows its endpoints and reads userinfo. */
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

// What a provider says is `unknown` here; the casts hand it on unseen, because whether the library copes with an
// id that is no text is what tests ask.
function mapOidcProfile({ sub, name, email, picture }: Claims): ScriptedProfile {
  return { id: sub, name, email, image: picture } as ScriptedProfile
}

function mapSocialProfile({ id, display_name, default_email }: Claims): ScriptedProfile {
  return { id, name: display_name, email: default_email } as ScriptedProfile
}
