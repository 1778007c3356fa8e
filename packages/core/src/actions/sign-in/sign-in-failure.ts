/**
 * Hands a failed sign-in to the built-in sign-in page, which shows the error at the form it belongs to, and keeps the
 * address or name that was typed and the choice to stay signed in. They are in a sealed cookie that is read once,
 * because a URL would reveal them.
 */

import type { SignInFailure } from "@latchkey/pages"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import { createHostCookie } from "../../http/cookies.ts"
import { isCrossSite } from "../../http/fetch-metadata.ts"
import { readTextField } from "../../http/request-body.ts"
import { isSecretField } from "../../providers/form-fields.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { readRememberMe } from "./remember-me.ts"

const cookieName = "latchkey.sign-in-failure"
/** How long the browser may take to open the page, in seconds. */
const cookieMaxAge = 120
/** Longest address or name in characters that is kept. */
const maxIdentifierLength = 320

/** Saves what the sign-in page has to know if a browser is redirected to it. */
export async function saveSignInFailure(
  { request, config, logger, sealer, caller }: ActionContext,
  outcome: ActionOutcome,
): Promise<void> {
  const provider = config.providers.get(request.providerId ?? "")
  const isShown =
    outcome.kind === "redirect" && outcome.to.startsWith(`${request.actionsUrl}/signin?`)
  // Scripts show errors themselves.
  const isForScript = caller !== "browser" || request.headers.get("x-auth-return-redirect") !== null
  if (!provider || !isShown || isForScript) return
  // Another site must not choose what the form contains.
  const isForeign = isCrossSite(request.headers, request.origin, config.trustedOrigins)
  const identifier = isForeign ? undefined : readTypedIdentifier(request, provider)
  // A choice that the request has already is the visitor's own, also on the way back from a provider.
  const rememberMe =
    request.signIn.rememberMe ?? (isForeign ? undefined : readRememberMe({ request, config }))
  if (!identifier && rememberMe === undefined) return
  try {
    const failure: SignInFailure = { provider: provider.id, identifier, rememberMe }
    const sealed = await sealer.seal("sign-in failure", failure, cookieMaxAge)
    const cookie = createHostCookie(request.cookieDefinitions, cookieName)
    request.jar.set(cookie, sealed, { maxAge: cookieMaxAge })
    request.jar.keepOnError(cookie.name, "always")
  } catch (error) {
    logger.error(error)
  }
}

/** Returns the field that names the account, as the visitor typed it. Passwords and codes are never kept. */
function readTypedIdentifier(
  { body }: ActionContext["request"],
  provider: ResolvedProvider,
): string | undefined {
  const field = provider.type === "email" ? "email" : getIdentifierField(provider)
  const typed = field === undefined ? undefined : readTextField(body, field)
  return typed !== undefined && typed.length <= maxIdentifierLength ? typed : undefined
}

function getIdentifierField(provider: ResolvedProvider): string | undefined {
  if (provider.type !== "credentials" || provider.identifierField === undefined) return undefined
  const { fields, identifierField } = provider
  return isSecretField(identifierField, fields[identifierField] ?? {}) ? undefined : identifierField
}

/** Returns the failed sign-in that the page has to show, and deletes its cookie. */
export async function consumeSignInFailure({
  request,
  sealer,
}: ActionContext): Promise<SignInFailure | undefined> {
  const cookie = createHostCookie(request.cookieDefinitions, cookieName)
  const sealed = request.cookies.get(cookie.name)
  if (!request.query.has("error") || sealed === undefined) return undefined
  request.jar.delete(cookie)
  const failure = await sealer.open("sign-in failure", sealed)
  return failure as SignInFailure | undefined // sealed above
}
