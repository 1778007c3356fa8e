/** Signing in as a browser does. */
import { type Ask, cookieHeader, type Send } from "../exchange.ts"
import { approve } from "../provider.ts"
import type { OAuthSteps } from "./library.ts"

/** Cookies of as many sign-ins. */
export async function cookiesOf(
  signIn: Ask,
  send: Send,
  count: number,
): Promise<readonly string[]> {
  const cookies: string[] = []
  while (cookies.length < count) cookies.push(cookieHeader(await send(signIn)))
  return cookies
}

/** The request with which the browser comes back from the provider. */
export async function comeback({ begin, urlOf }: OAuthSteps, send: Send): Promise<Ask> {
  const begun = await send(begin)
  const { pathname, search } = new URL(approve(urlOf(begun) ?? ""))
  const cookie = [begin.cookie, cookieHeader(begun)].filter(Boolean).join("; ")
  return { method: "GET", path: pathname + search, cookie }
}
