/// <reference lib="esnext.disposable" preserve="true" />
import type { Server } from "node:http"
import type { CryptoKey } from "jose"
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
import type { IdTokenModifier } from "./id-token.ts"
import { createLogoutToken } from "./id-token.ts"
import type { ProviderFaults } from "./provider-faults.ts"
import type { ProviderState } from "./provider-state.ts"
import { createEndpoints, createProviderState } from "./provider-state.ts"
import { handleProviderRequest } from "./router.ts"
import { getSigningKey } from "./signing-keys.ts"
import { createInProcessFetch, startServer } from "./transport.ts"
import type { TransportFault } from "./transport-faults.ts"
import { transportFaults } from "./transport-faults.ts"
import type {
  Claims,
  EndpointName,
  Endpoints,
  RecordedRequest,
  Responder,
  ScriptedProviderOptions,
  ScriptedUser,
} from "./types.ts"

/** An identity provider that follows the standards, unless the test scripts something else. */
export class ScriptedProvider implements AsyncDisposable {
  /** Calls the provider without a network. Rejects for every other host. */
  readonly fetch: typeof fetch
  readonly #state: ProviderState
  readonly #keyOwner: string
  #keyGeneration = 0
  #server: Server | undefined

  /** @internal Use `createScriptedProvider()`. */
  constructor(state: ProviderState) {
    this.#state = state
    this.#keyOwner = state.issuer
    this.fetch = createInProcessFetch((request) => handleInProcessRequest(state, request))
  }

  /** Id of the provider objects. */
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

  /** Signs assertions for `private_key_jwt` (ES256). The provider knows the public key. */
  get clientPrivateKey(): CryptoKey {
    return this.#state.clientKey.privateKey
  }

  /** All requests, in order. Those to other hosts and paths have the endpoint `elsewhere`. */
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

  /** Client secret, codes and tokens: none may appear in a log, page or URL. */
  get secrets(): readonly string[] {
    return this.#state.secrets
  }

  /** Sets who approves from now on; without an argument, the initial user. */
  setUser(user: ScriptedUser = this.#state.initialUser): void {
    this.#state.user = user
  }

  /** Approves a request as the user, and returns the response for the browser. @throws ProviderError */
  approve(
    authorizationUrl: string | URL,
    { user }: { user?: ScriptedUser } = {},
  ): AuthorizationResponse {
    return approveAuthorization(this.#state, authorizationUrl, user)
  }

  /** Denies a request as the user or the provider. @throws ProviderError */
  deny(
    authorizationUrl: string | URL,
    denial: AuthorizationErrorResponse = { error: "access_denied" },
  ): AuthorizationResponse {
    return denyAuthorization(this.#state, authorizationUrl, denial)
  }

  /**
   * Creates a logout token for the back channel of an application.
   *
   * @param session the claims that name the session: `sid`, `sub`, or both
   * @param modify changes the token before it is signed
   */
  createLogoutToken(session: Claims, modify?: IdTokenModifier): Promise<string> {
    return createLogoutToken(this.#state, session, modify)
  }

  /** Activates faults, in addition to active ones. */
  injectFaults(faults: ProviderFaults): void {
    this.#state.faults = { ...this.#state.faults, ...faults }
  }

  /** Replaces the response of an endpoint; `undefined` restores it. */
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

  /** Removes all faults and replaced responses. Keys, users, codes and recordings remain. */
  clearFaults(): void {
    this.#state.faults = {}
    this.#state.responders.clear()
  }

  /** Deletes the recordings. */
  clearRequests(): void {
    this.#state.requests.length = 0
    this.#state.authorizationRequests.length = 0
  }

  /** Signs with a new key from now on. The old one leaves the key set unless `keepOld` is true. */
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

  /** Stops the server. `fetch` keeps working. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    server?.closeAllConnections()
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Creates options for a provider factory of Latchkey, such as `TenantIdp`. */
  asOptions(): ClientOptions {
    return createClientOptions(this.#state, this.#server ? undefined : this.fetch)
  }

  /** Creates a provider object of type `oidc`. */
  asOidc(): OidcConfiguration
  asOidc<Changes extends object>(changes: Changes): OverrideProperties<OidcConfiguration, Changes>
  asOidc(changes: object = {}): object {
    return { ...createOidcConfiguration(this.#state, this.asOptions()), ...changes }
  }

  /** Creates a provider object of type `oauth`. */
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
 * Creates an identity provider in this process.
 *
 * @example
 * const provider = await createScriptedProvider()
 * const config = { providers: [provider.asOidc()] }
 */
export async function createScriptedProvider(
  options: ScriptedProviderOptions = {},
): Promise<ScriptedProvider> {
  return new ScriptedProvider(await createProviderState(options))
}

/** There is only one host in process: requests to any other are recorded, and fail as for an unknown host. */
async function handleInProcessRequest(state: ProviderState, request: Request): Promise<Response> {
  const response = await handleProviderRequest(state, request)
  const { origin, hostname } = new URL(request.url)
  if (origin === new URL(state.issuer).origin) return response
  throw new TypeError("fetch failed", { cause: new Error(`getaddrinfo ENOTFOUND ${hostname}`) })
}
