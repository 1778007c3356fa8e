/** Signs in as a browser does. */
import { createCookieHeader, type HttpRequest, type SendRequest } from "../http.ts"
import { approveAuthorization } from "../provider.ts"
import type { OAuthSteps } from "./library.ts"

/** Returns the cookies of a number of sign-ins. */
export async function createSessionCookies(
  signInRequest: HttpRequest,
  send: SendRequest,
  count: number,
): Promise<readonly string[]> {
  const cookies: string[] = []
  while (cookies.length < count) cookies.push(createCookieHeader(await send(signInRequest)))
  return cookies
}

/** Creates the request with which the browser returns from the provider. */
export async function createCallbackRequest(
  { startRequest, readAuthorizationUrl }: OAuthSteps,
  send: SendRequest,
): Promise<HttpRequest> {
  const startResponse = await send(startRequest)
  const { pathname, search } = new URL(
    approveAuthorization(readAuthorizationUrl(startResponse) ?? ""),
  )
  const cookie = [startRequest.cookie, createCookieHeader(startResponse)].filter(Boolean).join("; ")
  return { method: "GET", path: pathname + search, cookie }
}
