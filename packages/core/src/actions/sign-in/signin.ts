/** `GET signin` shows the sign-in page; `POST signin/<provider>` starts a sign-in. */

import type { PageProvider } from "@latchkey/pages"
import { getCustomPage } from "../../config/custom-pages.ts"
import { UnknownAction } from "../../errors.ts"
import { type ActionOutcome, redirectOutcome } from "../../http/action-outcome.ts"
import { loadOnFirstCall } from "../../load-on-first-call.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { AuthAction, Session } from "../../types.ts"
import type { Action, ActionContext } from "../action-context.ts"
import { ensureCsrfToken, verifyCsrfToken } from "../csrf.ts"
import {
  consumeErrorReport,
  consumeSignInFailure,
  reportConfigProblems,
} from "../errors/saved-error.ts"
import { resolveCallbackUrl, resolveDestination } from "../resolve-callback-url.ts"
import { getUserLabel, readShownSession } from "../session.ts"
import { isLinkRequested } from "./link-request.ts"

const oauthSignIn = loadOnFirstCall(() => import("./start-oauth-sign-in.ts"))
const addPasskey = loadOnFirstCall(() => import("./add-passkey.ts"))
const emailSignIn = loadOnFirstCall(() => import("../email/email-sign-in.ts"))

export const signInAction: Action = async (context, provider) => {
  const { request, config } = context
  if (request.method === "GET") {
    if (!provider) return showSignInPage(context)
    if (provider.type === "webauthn" && !provider.isExperimental)
      return addPasskey.showAddPasskeyPage({ ...context, provider })
    throw new UnknownAction({ expected: "a sign-in to start with a POST request" })
  }
  // Linking an account acts on behalf of the signed-in user.
  const scope = isLinkRequested(request) || config.implicitLinking ? "session" : "any-session"
  await verifyCsrfToken(context, scope)
  const callbackUrl = await resolveCallbackUrl(context)
  switch (provider?.type) {
    case "oauth":
    case "oidc":
      return oauthSignIn.startOAuthSignIn({ ...context, provider }, callbackUrl)
    case "email":
      return emailSignIn.startEmailSignIn({ ...context, provider }, callbackUrl)
    default:
      return redirectOutcome(`${request.actionsUrl}/signin`)
  }
}

async function showSignInPage(context: ActionContext): Promise<ActionOutcome> {
  const { request, config, renderPage } = context
  const { query } = request
  const callbackUrl = await resolveCallbackUrl(context)
  const [error, code, prompt] = ["error", "code", "prompt"].map(
    (name) => query.getAll(name).at(-1) || undefined,
  )
  const errorParams = omitUndefined({ error, code })
  const isAgain = prompt === "login"
  const customPage = getCustomPage("signIn", config, request.origin)
  if (customPage)
    return redirectOutcome(customPage, { callbackUrl, ...errorParams, ...(isAgain && { prompt }) })
  // With the error, a visitor who is signed in sees why the account was not linked.
  const isChoosing = error !== undefined || prompt !== undefined || config.implicitLinking
  const session = isChoosing ? null : await readShownSession(context)
  if (session) return showSignedInPage(context, session)
  const failure = await consumeSignInFailure(context)
  const { rememberMe } = config.session
  return renderPage(
    {
      page: "sign-in",
      providers: [...config.providers.values()].flatMap((provider) =>
        createPageProviders(request.actionsUrl, provider, isAgain),
      ),
      csrfToken: await ensureCsrfToken(context, "any-session"),
      callbackUrl,
      ...errorParams,
      failure,
      rememberMe:
        rememberMe &&
        (failure?.rememberMe ?? (await readPresetRememberMe(context, rememberMe.default))),
      lastUsed: request.cookies.get(request.cookieDefinitions.lastProvider.name),
      signUpUrl: getCustomPage("signUp", config, request.origin),
      email: query.get("email") || undefined,
      errorReport: (await consumeErrorReport(context)) ?? reportConfigProblems(config),
    },
    request,
  )
}

/** Returns whether the box of the sign-in page is checked at first. Visitors who sign in again have chosen before. */
async function readPresetRememberMe(
  { request, sessions }: ActionContext,
  preset: boolean,
): Promise<boolean> {
  const read = await sessions.checkSession(request)
  return read.kind === "valid" ? !read.facts.isTemporary : preset
}

/** Tells visitors that they are signed in, instead of asking them to sign in again. */
async function showSignedInPage(context: ActionContext, session: Session): Promise<ActionOutcome> {
  const { request, renderPage } = context
  const callbackUrl = await resolveDestination(context)
  const parameters = new URLSearchParams({ prompt: "select_account", callbackUrl })
  const chooseUrl = `${request.actionsUrl}/signin?${parameters}`
  return renderPage(
    { page: "signed-in", user: getUserLabel(session), callbackUrl, chooseUrl },
    request,
  )
}

/**
 * Returns the entry of a provider on the sign-in page. Providers without fields have no form there.
 *
 * @param isAgain whether OpenID Connect providers have to authenticate a visitor whom they know already
 */
export function createPageProviders(
  actionsUrl: string,
  provider: ResolvedProvider,
  isAgain = false,
): PageProvider[] {
  const { id, name, type } = provider
  const getUrl = (action: AuthAction) => `${actionsUrl}/${action}/${id}`
  if (provider.type === "credentials" || provider.type === "webauthn") {
    const { fields } = provider
    if (Object.keys(fields).length === 0) return []
    const form = { id, name, type, action: getUrl("callback"), fields }
    if (provider.type === "credentials")
      return [{ ...form, identifierField: provider.identifierField }]
    const { conditionalUI, getUserInfo, registration } = provider
    const passkey = {
      optionsUrl: getUrl("webauthn-options"),
      autofill: conditionalUI,
      // Only then may the server look up the credentials of a user before they sign in.
      asksWhoSignsIn:
        getUserInfo !== undefined &&
        registration.authenticatorSelection?.residentKey !== "required",
    }
    return [{ ...form, passkey }]
  }
  const pageProvider = { id, name, type, action: getUrl("signin") }
  if (provider.type === "email") return [pageProvider]
  const { logo, loadLogo, brandColor, bg } = provider.style ?? {}
  const query = isAgain ? getPromptQuery(provider) : ""
  const style = { logo, loadLogo, brandColor: brandColor ?? bg }
  return [{ ...pageProvider, action: pageProvider.action + query, style }]
}

/** Returns the query of a form that asks a provider to authenticate the visitor again (OpenID Connect Core 3.1.2.1). */
function getPromptQuery({ type, loginPrompt, authorization }: ResolvedOAuthProvider): string {
  if (type !== "oidc") return ""
  const { params, overridableParams } = authorization
  const canPrompt = params["prompt"] === undefined || overridableParams.includes("prompt")
  return `?${new URLSearchParams({ ...(canPrompt && { prompt: loginPrompt }), max_age: "0" })}`
}
