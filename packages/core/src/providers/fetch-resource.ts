import type { UserinfoContext } from "./types.ts"

/**
 * Requests an endpoint of a provider with the access token (RFC 6750 section 2.1).
 *
 * @throws TypeError when the response has an error status
 */
export async function fetchResource<T>(
  context: UserinfoContext,
  url: string,
  init?: RequestInit,
): Promise<T> {
  const response = await sendRequest(context, url, init)
  if (!response.ok) throw createStatusError(url, response.status)
  return (await response.json()) as T // as the provider documents it; `profile` is checked like claims
}

/**
 * Requests an endpoint. Returns undefined if the token does not grant access to it.
 *
 * @throws TypeError when the response has an error status
 */
export async function fetchResourceIfAllowed<T>(
  context: UserinfoContext,
  url: string,
): Promise<T | undefined> {
  const response = await sendRequest(context, url)
  if (response.status === 403 || response.status === 404) return undefined
  if (!response.ok) throw createStatusError(url, response.status)
  return (await response.json()) as T // as above
}

function sendRequest({ tokens, fetch }: UserinfoContext, url: string, init?: RequestInit) {
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    accept: "application/json",
    "user-agent": "latchkey",
  }
  return fetch(url, { headers, ...init })
}

function createStatusError(url: string, status: number): TypeError {
  return new TypeError(`${url} returned status ${status} instead of the user profile`)
}
