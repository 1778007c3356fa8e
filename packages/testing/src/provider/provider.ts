/// <reference lib="esnext.disposable" preserve="true" />
import type { Server } from "node:http"
import type { Denial } from "./authorization.ts"
import { approve, deny } from "./authorization.ts"
import type { Comeback } from "./comeback.ts"
import type { ClientOptions, OAuthConfiguration, OidcConfiguration, With } from "./configuration.ts"
import { clientOptions, oauthConfiguration, oidcConfiguration } from "./configuration.ts"
import type { Hazard } from "./hazards.ts"
import { hazards } from "./hazards.ts"
import { signingKey } from "./keys.ts"
import type { Misbehaviour } from "./misbehaviour.ts"
import { route } from "./router.ts"
import type { ProviderState } from "./state.ts"
import { endpointsOf, newState } from "./state.ts"
import { inProcessFetch, serve } from "./transport.ts"
import type {
  EndpointName,
  Endpoints,
  ProviderOptions,
  RecordedRequest,
  Responder,
  ScriptedUser,
} from "./types.ts"

/** An identity provider that does what the test says, and otherwise what the standards say. */
export class ScriptedProvider implements AsyncDisposable {
  /** Reaches the provider without a network; rejects for every other host. */
  readonly fetch: typeof fetch
  readonly #state: ProviderState
  readonly #keyOwner: string
  #keyGeneration = 0
  #server: Server | undefined

  /** @internal Use `scriptedProvider()`. */
  constructor(state: ProviderState) {
    this.#state = state
    this.#keyOwner = state.issuer
    this.fetch = inProcessFetch((request) => reached(state, request))
  }

  /** Id of the provider objects below. */
  get id(): string {
    return this.#state.id
  }

  get issuer(): string {
    return this.#state.issuer
  }

  get endpoints(): Endpoints {
    return this.#state.endpoints
  }

  get clientId(): string {
    return this.#state.clientId
  }

  get clientSecret(): string {
    return this.#state.clientSecret
  }

  /** Signs assertions for `private_key_jwt` (ES256); the provider knows the public half. */
  get clientPrivateKey(): CryptoKey {
    return this.#state.clientKey.privateKey
  }

  /** Every request that came in, in order; those to other hosts and paths have the endpoint `elsewhere`. */
  get requests(): readonly RecordedRequest[] {
    return this.#state.requests
  }

  get discoveryRequests(): readonly RecordedRequest[] {
    return this.#received("discovery")
  }

  get jwksRequests(): readonly RecordedRequest[] {
    return this.#received("jwks")
  }

  get tokenRequests(): readonly RecordedRequest[] {
    return this.#received("token")
  }

  get userinfoRequests(): readonly RecordedRequest[] {
    return this.#received("userinfo")
  }

  /** The parameters of each authorization request that was approved or denied. */
  get authorizationRequests(): readonly URLSearchParams[] {
    return this.#state.authorizationRequests
  }

  /** Client secret, codes and tokens issued so far: none may show up in a log, page or URL. */
  get secrets(): readonly string[] {
    return this.#state.secrets
  }

  /** Says who approves from now on; without an argument, who did at first. */
  user(user: ScriptedUser = this.#state.firstUser): void {
    this.#state.user = user
  }

  /** The person approves: gives the way back to the application. @throws ProviderRefusal */
  approve(authorizationUrl: string | URL, { user }: { user?: ScriptedUser } = {}): Comeback {
    return approve(this.#state, authorizationUrl, user)
  }

  /** The person refuses, or the provider does. @throws ProviderRefusal */
  deny(authorizationUrl: string | URL, denial: Denial = { error: "access_denied" }): Comeback {
    return deny(this.#state, authorizationUrl, denial)
  }

  /** Switches faults on, beside those that are on already. */
  misbehave(faults: Misbehaviour): void {
    this.#state.faults = { ...this.#state.faults, ...faults }
  }

  /** Answers an endpoint in place of the provider; `undefined` gives it back. */
  answer(endpoint: EndpointName, how: Responder | Response | Hazard | undefined): void {
    const { responders } = this.#state
    if (how === undefined) responders.delete(endpoint)
    else if (how instanceof Response) responders.set(endpoint, () => how.clone())
    else responders.set(endpoint, typeof how === "string" ? hazards[how] : how)
  }

  /** Is honest again: forgets faults and answers, keeps keys, users, codes and recordings. */
  behave(): void {
    this.#state.faults = {}
    this.#state.responders.clear()
  }

  /** Forgets the recordings. */
  forget(): void {
    this.#state.requests.length = 0
    this.#state.authorizationRequests.length = 0
  }

  /** Signs with a new key from now on; the old one leaves the key set, unless told to stay. */
  async rotateKeys({ keepOld = false }: { keepOld?: boolean } = {}): Promise<void> {
    this.#keyGeneration += 1
    const state = this.#state
    const old = keepOld ? state.announced : []
    state.key = await signingKey(this.#keyOwner, state.key.alg, this.#keyGeneration)
    state.announced = [state.key, ...old]
  }

  /** Serves on `http://127.0.0.1:PORT`, which becomes the issuer. */
  async listen(port?: number): Promise<void> {
    const state = this.#state
    const { server, origin } = await serve((request) => route(state, request), port)
    this.#server = server
    state.issuer = origin
    state.endpoints = endpointsOf(origin, state.dialect)
  }

  /** Stops serving; in process the provider goes on. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Gives options for a provider factory of the library, such as `TenantIdp`. */
  asOptions(): ClientOptions {
    return clientOptions(this.#state, this.#server ? undefined : this.fetch)
  }

  /** Gives a provider object of type `oidc`. */
  asOidc(): OidcConfiguration
  asOidc<Changes extends object>(changes: Changes): With<OidcConfiguration, Changes>
  asOidc(changes: object = {}): object {
    return { ...oidcConfiguration(this.#state, this.asOptions()), ...changes }
  }

  /** Gives a provider object of type `oauth`. */
  asOAuth(): OAuthConfiguration
  asOAuth<Changes extends object>(changes: Changes): With<OAuthConfiguration, Changes>
  asOAuth(changes: object = {}): object {
    return { ...oauthConfiguration(this.#state, this.asOptions()), ...changes }
  }

  #received(endpoint: EndpointName): RecordedRequest[] {
    return this.#state.requests.filter((request) => request.endpoint === endpoint)
  }
}

/**
 * Makes an identity provider in this process.
 *
 * @example
 * const provider = await scriptedProvider()
 * const config = { providers: [provider.asOidc()] }
 */
export async function scriptedProvider(options: ProviderOptions = {}): Promise<ScriptedProvider> {
  return new ScriptedProvider(await newState(options))
}

/** In process there is one host: a request to any other is recorded and fails as an unknown host does. */
async function reached(state: ProviderState, request: Request): Promise<Response> {
  const response = await route(state, request)
  const { origin, hostname } = new URL(request.url)
  if (origin === new URL(state.issuer).origin) return response
  throw new TypeError("fetch failed", { cause: new Error(`getaddrinfo ENOTFOUND ${hostname}`) })
}
