/// <reference lib="esnext.disposable" preserve="true" />
import type { Server } from "node:http"
import type { AuthorizationErrorResponse } from "./authorization-endpoint.ts"
import { approveAuthorization, denyAuthorization } from "./authorization-endpoint.ts"
import type { AuthorizationResponse } from "./authorization-response.ts"
import type {
  ClientOptions,
  OAuthConfiguration,
  OidcConfiguration,
  OverrideProperties,
} from "./client-configuration.ts"
import {
  createClientOptions,
  createOAuthConfiguration,
  createOidcConfiguration,
} from "./client-configuration.ts"
import type { ProviderFaults } from "./provider-faults.ts"
import type { ProviderState } from "./provider-state.ts"
import { createEndpoints, createProviderState } from "./provider-state.ts"
import { handleProviderRequest } from "./router.ts"
import { getSigningKey } from "./signing-keys.ts"
import { createInProcessFetch, startServer } from "./transport.ts"
import type { TransportFault } from "./transport-faults.ts"
import { transportFaults } from "./transport-faults.ts"
import type {
  EndpointName,
  Endpoints,
  RecordedRequest,
  Responder,
  ScriptedProviderOptions,
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
    this.fetch = createInProcessFetch((request) => handleInProcessRequest(state, request))
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
    return this.#requestsTo("discovery")
  }

  get jwksRequests(): readonly RecordedRequest[] {
    return this.#requestsTo("jwks")
  }

  get tokenRequests(): readonly RecordedRequest[] {
    return this.#requestsTo("token")
  }

  get userinfoRequests(): readonly RecordedRequest[] {
    return this.#requestsTo("userinfo")
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
  setUser(user: ScriptedUser = this.#state.initialUser): void {
    this.#state.user = user
  }

  /** The person approves: gives the way back to the application. @throws ProviderRefusal */
  approve(
    authorizationUrl: string | URL,
    { user }: { user?: ScriptedUser } = {},
  ): AuthorizationResponse {
    return approveAuthorization(this.#state, authorizationUrl, user)
  }

  /** The person refuses, or the provider does. @throws ProviderRefusal */
  deny(
    authorizationUrl: string | URL,
    denial: AuthorizationErrorResponse = { error: "access_denied" },
  ): AuthorizationResponse {
    return denyAuthorization(this.#state, authorizationUrl, denial)
  }

  /** Switches faults on, beside those that are on already. */
  injectFaults(faults: ProviderFaults): void {
    this.#state.faults = { ...this.#state.faults, ...faults }
  }

  /** Answers an endpoint in place of the provider; `undefined` gives it back. */
  overrideEndpoint(
    endpoint: EndpointName,
    response: Responder | Response | TransportFault | undefined,
  ): void {
    const { responders } = this.#state
    if (response === undefined) responders.delete(endpoint)
    else if (response instanceof Response) responders.set(endpoint, () => response.clone())
    else
      responders.set(endpoint, typeof response === "string" ? transportFaults[response] : response)
  }

  /** Is honest again: forgets faults and answers, keeps keys, users, codes and recordings. */
  clearFaults(): void {
    this.#state.faults = {}
    this.#state.responders.clear()
  }

  /** Forgets the recordings. */
  clearRequests(): void {
    this.#state.requests.length = 0
    this.#state.authorizationRequests.length = 0
  }

  /** Signs with a new key from now on; the old one leaves the key set, unless told to stay. */
  async rotateKeys({ keepOld = false }: { keepOld?: boolean } = {}): Promise<void> {
    this.#keyGeneration += 1
    const state = this.#state
    const keptKeys = keepOld ? state.publishedKeys : []
    state.key = await getSigningKey(this.#keyOwner, state.key.alg, this.#keyGeneration)
    state.publishedKeys = [state.key, ...keptKeys]
  }

  /** Serves on `http://127.0.0.1:PORT`, which becomes the issuer. */
  async listen(port?: number): Promise<void> {
    const state = this.#state
    const { server, origin } = await startServer(
      (request) => handleProviderRequest(state, request),
      port,
    )
    this.#server = server
    state.issuer = origin
    state.endpoints = createEndpoints(origin, state.dialect)
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
    return createClientOptions(this.#state, this.#server ? undefined : this.fetch)
  }

  /** Gives a provider object of type `oidc`. */
  asOidc(): OidcConfiguration
  asOidc<Changes extends object>(changes: Changes): OverrideProperties<OidcConfiguration, Changes>
  asOidc(changes: object = {}): object {
    return { ...createOidcConfiguration(this.#state, this.asOptions()), ...changes }
  }

  /** Gives a provider object of type `oauth`. */
  asOAuth(): OAuthConfiguration
  asOAuth<Changes extends object>(changes: Changes): OverrideProperties<OAuthConfiguration, Changes>
  asOAuth(changes: object = {}): object {
    return { ...createOAuthConfiguration(this.#state, this.asOptions()), ...changes }
  }

  #requestsTo(endpoint: EndpointName): RecordedRequest[] {
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
export async function createScriptedProvider(
  options: ScriptedProviderOptions = {},
): Promise<ScriptedProvider> {
  return new ScriptedProvider(await createProviderState(options))
}

/** In process there is one host: a request to any other is recorded and fails as an unknown host does. */
async function handleInProcessRequest(state: ProviderState, request: Request): Promise<Response> {
  const response = await handleProviderRequest(state, request)
  const { origin, hostname } = new URL(request.url)
  if (origin === new URL(state.issuer).origin) return response
  throw new TypeError("fetch failed", { cause: new Error(`getaddrinfo ENOTFOUND ${hostname}`) })
}
