/** Whether a form was made by this site, for this session. */
import { sameText } from "../crypto/random.ts"
import { MissingCSRF } from "../errors.ts"
import { isCrossSite, isSameOrigin, isSentPair } from "../http/csrf.ts"
import type { Exchange } from "../http/exchange.ts"
import { textOf } from "../http/exchange.ts"
import type { Caller, Services } from "./services.ts"

/** `session`: acts as the person who is signed in; `anyone`: good for nobody in particular. */
export type Standing = "session" | "anyone"

/**
 * The token for the forms of an answer; its cookie is set when the browser has none that is good enough.
 * Undefined when the check is left to a framework.
 */
export async function csrfToken(
  exchange: Exchange,
  { config, sessions }: Services,
  standing: Standing,
): Promise<string | undefined> {
  if (config.skipCSRFCheck) return undefined
  // An answer has one token, in however many forms.
  const { recollection } = exchange
  if (recollection.formToken !== undefined) return recollection.formToken
  const found = await goodToken(exchange, { config, sessions }, standing)
  if (found !== undefined) return found
  const made = await config.csrf.create(await sessions.binding(exchange))
  exchange.jar.set(exchange.table.csrfToken, made.cookie)
  recollection.formToken = made.token
  return made.token
}

/**
 * Whether a browser is to be left with a pair for forms to come. Whether the one that it has is still good is found out
 * where a form is made or sent: a session check would take half as long again for it.
 */
export function lacksToken({ cookies, table }: Exchange): boolean {
  return !isSentPair(cookies.sent(table.csrfToken.name))
}

/** The token of the pair that the browser has, when it is good enough. */
async function goodToken(
  exchange: Exchange,
  { config, sessions }: Pick<Services, "config" | "sessions">,
  standing: Standing,
): Promise<string | undefined> {
  const cookie = exchange.cookies.get(exchange.table.csrfToken.name)
  const token = await config.csrf.tokenOf(cookie)
  if (token === undefined || standing === "anyone") return token
  const binding = await sessions.binding(exchange)
  // Nobody can act as nobody: a form that was open while somebody signed out does no harm.
  return binding === "" || (await config.csrf.isBound(cookie, binding)) ? token : undefined
}

/**
 * Refuses a request that no page of this site made: the browser's word for it is enough, and where it says nothing,
 * the token has to be there. For what a script of ours posts, which asks the person before.
 *
 * @throws MissingCSRF
 */
export async function assertOwnPage(
  exchange: Exchange,
  services: Services,
  caller: Caller,
): Promise<void> {
  if (isSameOrigin(exchange.headers, exchange.origin)) return
  await assertOwnForm(exchange, services, caller, "anyone")
}

/**
 * Refuses a request that this site did not make.
 *
 * @throws MissingCSRF
 */
export async function assertOwnForm(
  exchange: Exchange,
  services: Services,
  caller: Caller,
  standing: Standing,
): Promise<void> {
  if (caller.kind === "application" || services.config.skipCSRFCheck) return
  if (isCrossSite(exchange.headers, exchange.origin)) {
    throw new MissingCSRF({
      expected: `a request from ${exchange.origin}`,
      came: senderOf(exchange.headers),
      hint: "Behind a proxy, the host and scheme of a request have to be those that the browser sees.",
    })
  }
  if (services.ownPagesSuffice && isSameOrigin(exchange.headers, exchange.origin)) return
  const sent = textOf(exchange.body, "csrfToken") ?? ""
  const token = await goodToken(exchange, services, standing)
  if (token === undefined || !sameText(token, sent)) {
    throw new MissingCSRF({
      expected: "`csrfToken` in the body to be the token of this browser",
      came: tokensOf(exchange, sent),
      hint: "The page was open for long, or was loaded before somebody signed in or out here.",
    })
  }
}

function senderOf(headers: Headers): string {
  const site = headers.get("sec-fetch-site")
  return site === null
    ? `a request from ${headers.get("origin")}`
    : `a request that the browser calls ${site}`
}

function tokensOf({ cookies, table }: Exchange, sent: string): string {
  const cookie = cookies.get(table.csrfToken.name) === undefined ? "no cookie" : "a cookie"
  return `${cookie} with a token, and ${sent === "" ? "no token" : "another token"} in the body`
}
