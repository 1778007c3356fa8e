/** What the other client modules of this package build on. Applications cannot reach it. */
import type { HttpClient } from "./http-client.ts"
import type { SignInOptions, SignInResult } from "./sign-in-types.ts"

/** A way in. */
export interface SignInMethod {
  /** The action to post to, such as `/callback/passkey`. */
  readonly path: string
  /** Whether a good answer means that somebody is signed in, as opposed to that it goes on elsewhere. */
  readonly completesSignIn: boolean
}

export interface ClientInternals<S> {
  readonly httpClient: HttpClient
  /**
   * Posts `options` as a form, and does what they say with the answer: leaves the page, or tells. A sign-in
   * reaches the listeners of this page and the other tabs.
   *
   * @throws ClientError when the page should be left, and the server could not be asked
   */
  submitSignIn(method: SignInMethod, options: SignInOptions): Promise<SignInResult<S>>
}

const internalsByClient = new WeakMap<object, unknown>()

/** Called when a client is created. */
export function setClientInternals<S>(client: object, internals: ClientInternals<S>): void {
  internalsByClient.set(client, internals)
}

/**
 * The seam of a client.
 *
 * @throws TypeError for what `createClient` did not make
 */
export function getClientInternals<S>(client: {
  getSession(): Promise<S | null>
}): ClientInternals<S> {
  const internals = internalsByClient.get(client)
  // Set together with the client, whose session is of the same type.
  if (internals) return internals as ClientInternals<S>
  throw new TypeError("Expected a client that `createClient` of @latchkey/core/client made.")
}
