/** Checks the responses, because a fast but wrong response is worthless. */
import { createCookieHeader, type HttpResponse } from "../http.ts"
import type { OAuthSteps, Site } from "../libraries/library.ts"
import { providerClient } from "../provider.ts"
import { testUser } from "../test-user.ts"

/** Thrown for a wrong response. */
export class UnexpectedResponseError extends Error {
  override name = "WrongAnswer"

  constructor(
    expected: string,
    response: Pick<HttpResponse, "status" | "body" | "location"> | string,
  ) {
    const received = typeof response === "string" ? response : describeResponse(response)
    super(`Expected ${expected}, but got ${received}`)
  }
}

function describeResponse({
  status,
  body,
  location,
}: Pick<HttpResponse, "status" | "body" | "location">): string {
  const to = location === undefined ? "" : ` to ${location}`
  return `${status}${to} with ${body === "" ? "no body" : body.slice(0, 300)}`
}

/** Asserts that the response names the user. */
export function assertTestUser(response: HttpResponse): void {
  const name = JSON.stringify(testUser.email)
  if (response.status !== 200 || !response.body.includes(name)) {
    throw new UnexpectedResponseError(`a session of ${name}`, response)
  }
}

/** Asserts that nobody is signed in. */
export function assertNoSession(response: HttpResponse): void {
  if (response.status !== 200 || response.body !== "null")
    throw new UnexpectedResponseError("no session", response)
}

/** Asserts a page with a password form, and a form for each other provider. */
export function assertSignInPage(response: HttpResponse, providerCount: number): void {
  const { status, body } = response
  const forms = body.match(/<form/g)?.length ?? 0
  if (status === 200 && forms >= providerCount && body.includes('type="password"')) return
  throw new UnexpectedResponseError(`a page with ${providerCount} forms`, response)
}

/** Asserts a token with its cookie. */
export function assertCsrfToken(response: HttpResponse, isFirst: boolean): void {
  const token: unknown = response.status === 200 ? JSON.parse(response.body).csrfToken : undefined
  const setsCookie = response.setCookies.some((line) => line.includes("csrf-token"))
  if (typeof token !== "string" || token.length < 32)
    throw new UnexpectedResponseError("a token", response)
  if (isFirst && !setsCookie) throw new UnexpectedResponseError("a cookie with the token", response)
}

/** Asserts a redirect to the provider with the security parameters, and a cookie. */
export function assertAuthorizationRequest(response: HttpResponse, steps: OAuthSteps): void {
  const url = new URL(steps.readAuthorizationUrl(response) ?? "about:blank")
  const parameters = url.searchParams
  const isSafe =
    url.origin + url.pathname === providerClient.authorization &&
    parameters.get("client_id") === providerClient.id &&
    parameters.get("response_type") === "code" &&
    parameters.get("code_challenge_method") === "S256" &&
    parameters.get("code_challenge")?.length === 43
  if (!isSafe) throw new UnexpectedResponseError("a request to the provider with PKCE", url.href)
  if (response.setCookies.length === 0)
    throw new UnexpectedResponseError("a cookie that remembers it", response)
}

/** Asserts that the cookies of the response sign the user in. */
export async function assertSignedIn(response: HttpResponse, site: Site): Promise<void> {
  const cookie = createCookieHeader(response)
  if (cookie === "") throw new UnexpectedResponseError("the cookie of a session", response)
  assertTestUser(await site.send({ ...site.sessionRequest, cookie }))
}
