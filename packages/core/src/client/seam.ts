/** What the other client modules of this package build on. Applications cannot reach it. */
import type { Endpoint } from "./endpoint.ts"
import type { SignInOptions, SignInResult } from "./results.ts"

/** A way in. */
export interface Way {
  /** The action to post to, such as `/callback/passkey`. */
  readonly path: string
  /** Whether a good answer means that somebody is signed in, as opposed to that it goes on elsewhere. */
  readonly proves: boolean
}

export interface Seam<S> {
  readonly endpoint: Endpoint
  /**
   * Posts `options` as a form, and does what they say with the answer: leaves the page, or tells. A sign-in
   * reaches the listeners of this page and the other tabs.
   *
   * @throws ClientError when the page should be left, and the server could not be asked
   */
  enter(way: Way, options: SignInOptions): Promise<SignInResult<S>>
}

const seams = new WeakMap<object, unknown>()

/** Called when a client is created. */
export function setSeam<S>(client: object, seam: Seam<S>): void {
  seams.set(client, seam)
}

/**
 * The seam of a client.
 *
 * @throws TypeError for what `createClient` did not make
 */
export function seamOf<S>(client: { getSession(): Promise<S | null> }): Seam<S> {
  const seam = seams.get(client)
  // Set together with the client, whose session is of the same type.
  if (seam) return seam as Seam<S>
  throw new TypeError("Expected a client that `createClient` of @latchkey/core/client made.")
}
