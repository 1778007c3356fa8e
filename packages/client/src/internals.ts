/** The part of a client that the modules for passkeys use. Applications cannot access it. */
import type { ClientFailure } from "./client-failure.ts"
import type { Client, SignInOptions, SignInResult } from "./client-types.ts"
import type { HttpClient, RedirectReply } from "./http-client.ts"

export interface ClientInternals<S> {
  readonly httpClient: HttpClient
  /**
   * Posts `options` as a form. Depending on its `redirect` option, it leaves the page or returns the result. Listeners
   * of this page and other tabs learn of the sign-in.
   *
   * @param path the action to post to, such as `/callback/passkey`. A successful response of a `callback` completes the
   *   sign-in, and that of another action leads to another site or page
   * @param onReply is called before the page is left
   * @throws ClientError when it should leave the page, and the request failed
   */
  submitSignIn(
    path: string,
    options: SignInOptions,
    onReply?: (reply: RedirectReply | ClientFailure) => Promise<void>,
  ): Promise<SignInResult<S>>
}

const internalsByClient = new WeakMap<object, unknown>()

export function setClientInternals<S>(client: Client<S>, internals: ClientInternals<S>): void {
  internalsByClient.set(client, internals)
}

/** @throws TypeError for an object that `createClient` did not create */
export function getClientInternals<S>(client: Client<S>): ClientInternals<S> {
  const internals = internalsByClient.get(client)
  // Set together with the client, whose session has the same type.
  if (internals) return internals as ClientInternals<S>
  throw new TypeError("Expected a client that `createClient` of @latchkey/client created.")
}
