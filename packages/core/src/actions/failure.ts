/** What a person is told when something went wrong. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import {
  AuthError,
  CredentialsSignin,
  ErrorPageLoop,
  InvalidRequest,
  isClientError,
} from "../errors.ts"
import type { Exchange } from "../http/exchange.ts"
import { json, type Outcome, redirect, withQuery } from "../http/outcome.ts"
import { basePrefix } from "../http/route.ts"
import type { AuthAction } from "../types.ts"
import { problemReport } from "./report.ts"
import type { Services } from "./services.ts"

const serverProblem =
  "There was a problem with the server configuration. Check the server logs for more information."

/** The outcome for something that an action threw; the log has the whole story. */
export function failure(error: unknown, exchange: Exchange, { config }: Services): Outcome {
  if (error instanceof InvalidRequest) return json({ message: error.message }, error.status)
  // A session that could not be checked is not "no session": clients have to be able to tell.
  if (exchange.action === "session") return json({ message: "The session is unavailable." }, 503)
  return redirect(failureUrl(error, exchange.origin, config))
}

function failureUrl(error: unknown, origin: string, config: ResolvedConfig): string {
  const known = error instanceof AuthError ? error : undefined
  const type = known && isClientError(known) ? known.type : "Configuration"
  const query = {
    error: type,
    ...(error instanceof CredentialsSignin ? { code: error.code } : {}),
  }
  const onSignIn = known?.kind === "signIn"
  const own = `${basePrefix(config.basePath)}/${onSignIn ? "signin" : "error"}`
  const page = (onSignIn ? config.pages.signIn : config.pages.error) ?? own
  return withQuery(new URL(page, origin).href, query)
}

const pageActions: ReadonlySet<AuthAction> = new Set([
  "signin",
  "signout",
  "error",
  "verify-request",
])

/** The outcome while the configuration has problems: nothing works, and only the log says why. */
export async function misconfigured(
  request: { action: AuthAction; method: string; url: URL },
  { config, pages }: Services,
): Promise<Outcome> {
  const { url } = request
  if (request.method !== "GET" || !pageActions.has(request.action)) {
    return json({ message: serverProblem }, 500)
  }
  const own = config.pages.error && new URL(config.pages.error, url.origin).href
  const loops = own !== undefined && comesFrom(url, own)
  if (own !== undefined && !loops) return redirect(withQuery(own, { error: "Configuration" }))
  if (loops) config.log.error(new ErrorPageLoop({ expected: "`pages.error` to be public" }))
  const page = await pages.error({
    error: "Configuration",
    signInUrl: `${url.origin}${basePrefix(config.basePath)}/signin`,
    homeUrl: url.origin,
    trace: config.development ? problemReport(config) : undefined,
  })
  return { kind: "page", page: { ...page, status: 500 } }
}

/** A page that asks people to sign in sends them here from itself, as a path or with its origin. */
function comesFrom({ origin, searchParams }: URL, page: string): boolean {
  const from = searchParams.get("callbackUrl")
  return from !== null && URL.canParse(from, origin) && new URL(from, origin).href.startsWith(page)
}
