/** Whether a form was made by this site, for this session. */
import { sameText } from "../crypto/random.ts"
import { MissingCSRF } from "../errors.ts"
import { isCrossSite } from "../http/csrf.ts"
import type { Exchange } from "../http/exchange.ts"
import { textOf } from "../http/exchange.ts"
import type { Caller, Services } from "./services.ts"

/** `session`: acts as the person who is signed in; `anyone`: good for nobody in particular. */
export type Standing = "session" | "anyone"

// An answer has one token, in however many forms.
const created = new WeakMap<Exchange, string>()

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
  const known = created.get(exchange)
  if (known !== undefined) return known
  const cookie = exchange.table.csrfToken
  const binding = await sessions.binding(exchange)
  const found = await config.csrf.check(exchange.cookies.get(cookie.name), binding)
  if (found.kind === "bound") return found.token
  // Forms for signing in that are open in other tabs stay good.
  if (found.kind === "anonymous" && standing === "anyone") return found.token
  const made = await config.csrf.create(binding)
  exchange.jar.set(cookie, made.cookie)
  created.set(exchange, made.token)
  return made.token
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
  const { config, sessions } = services
  if (caller.kind === "application" || config.skipCSRFCheck) return
  if (isCrossSite(exchange.headers, exchange.origin)) {
    throw new MissingCSRF({
      expected: `a request from ${exchange.origin}`,
      hint: "Behind a proxy, the host and scheme of a request have to be those that the browser sees.",
    })
  }
  const sent = textOf(exchange.body, "csrfToken") ?? ""
  const binding = await sessions.binding(exchange)
  const cookie = exchange.cookies.get(exchange.table.csrfToken.name)
  const found = await config.csrf.check(cookie, binding)
  const enough = found.kind === "bound" || (found.kind === "anonymous" && standing === "anyone")
  if (!enough || !sameText(found.token, sent)) {
    throw new MissingCSRF({
      expected: "`csrfToken` in the body to be the token of this browser",
      hint: "The page was open for long, or was loaded before somebody signed in or out here.",
    })
  }
}
