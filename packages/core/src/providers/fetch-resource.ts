import type { UserinfoContext } from "./types.ts"

/**
 * Asks an endpoint of a provider with the access token (RFC 6750 section 2.1).
 *
 * @throws TypeError when the answer is none that can be used
 */
export async function fetchResource<T>(
  context: UserinfoContext,
  url: string,
  init?: RequestInit,
): Promise<T> {
  const response = await sendRequest(context, url, init)
  if (!response.ok) throw createStatusError(url, response.status)
  return (await response.json()) as T // what the provider documents; `profile` is read as claims are
}

/**
 * Asks an endpoint that the token may not open; undefined when it does not.
 *
 * @throws TypeError when the answer is none that can be used
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
  return new TypeError(`${url} answered with status ${status} instead of describing the person`)
}
