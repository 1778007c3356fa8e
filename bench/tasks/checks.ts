/** Whether a library did the work: a fast answer that is wrong is worth nothing. */
import { cookieHeader, type Reply } from "../exchange.ts"
import type { OAuthSteps, Site } from "../libraries/library.ts"
import { person } from "../person.ts"
import { client } from "../provider.ts"

/** An answer that is not what the work is. */
export class WrongAnswer extends Error {
  override name = "WrongAnswer"

  constructor(expected: string, reply: Pick<Reply, "status" | "body" | "location"> | string) {
    const got = typeof reply === "string" ? reply : described(reply)
    super(`Expected ${expected}, but got ${got}`)
  }
}

function described({
  status,
  body,
  location,
}: Pick<Reply, "status" | "body" | "location">): string {
  const to = location === undefined ? "" : ` to ${location}`
  return `${status}${to} with ${body === "" ? "no body" : body.slice(0, 300)}`
}

/** The answer names the person. */
export function assertPerson(reply: Reply): void {
  const name = JSON.stringify(person.email)
  if (reply.status !== 200 || !reply.body.includes(name)) {
    throw new WrongAnswer(`a session of ${name}`, reply)
  }
}

/** The answer says that nobody is signed in. */
export function assertNobody(reply: Reply): void {
  if (reply.status !== 200 || reply.body !== "null") throw new WrongAnswer("no session", reply)
}

/** A page with a form for a password, and one for the provider. */
export function assertSignInPage({ status, body, location }: Reply): void {
  const forms = body.match(/<form/g)?.length ?? 0
  if (status === 200 && forms >= 2 && body.includes('type="password"')) return
  throw new WrongAnswer("a page with two forms", { status, body, location })
}

/** The token of an answer, which a cookie goes with. */
export function assertCsrfToken(reply: Reply, isFirst: boolean): void {
  const token: unknown = reply.status === 200 ? JSON.parse(reply.body).csrfToken : undefined
  const setsCookie = reply.setCookies.some((line) => line.includes("csrf-token"))
  if (typeof token !== "string" || token.length < 32) throw new WrongAnswer("a token", reply)
  if (isFirst && !setsCookie) throw new WrongAnswer("a cookie with the token", reply)
}

/** The browser is sent to the provider with what makes a sign-in safe, and remembers it. */
export function assertBegun(reply: Reply, steps: OAuthSteps): void {
  const url = new URL(steps.urlOf(reply) ?? "about:blank")
  const parameters = url.searchParams
  const isSafe =
    url.origin + url.pathname === client.authorization &&
    parameters.get("client_id") === client.id &&
    parameters.get("response_type") === "code" &&
    parameters.get("code_challenge_method") === "S256" &&
    parameters.get("code_challenge")?.length === 43
  if (!isSafe) throw new WrongAnswer("a request to the provider with PKCE", url.href)
  if (reply.setCookies.length === 0) throw new WrongAnswer("a cookie that remembers it", reply)
}

/** Whoever has the cookies of the answer is signed in as the person. */
export async function assertSignedIn(reply: Reply, site: Site): Promise<void> {
  const cookie = cookieHeader(reply)
  if (cookie === "") throw new WrongAnswer("the cookie of a session", reply)
  assertPerson(await site.send({ ...site.session, cookie }))
}
