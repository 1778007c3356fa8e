/** The actions that sign in and out. */

import {
  AuthError,
  type CodeProblem,
  CredentialsSignin,
  isClientError,
  Verification,
} from "@latchkey/core/errors"
import { type AuthContext, assertSameOrigin, getRedirectLocation } from "@latchkey/core/integration"
import { type ConfigSource, getAuthContext, getConfig } from "./auth-context.ts"
import { type ActionEvent, type QwikEvent, removeDataSuffix } from "./event.ts"
import type { SignInFields, SignOutFields } from "./form-fields.ts"

/** The result of an action that succeeded. It redirects, so pages hardly ever see this. */
export interface ActionSuccess {
  failed?: undefined
  fieldErrors?: undefined
  formErrors?: undefined
  code?: undefined
  reason?: undefined
  attemptsLeft?: undefined
}

/** The result of an action that failed. The page is rendered with it. */
export interface ActionFailure<Field extends string> {
  failed: true
  /** The invalid fields of the input. */
  fieldErrors: Partial<Record<Field, string>>
  /** The type of the error, such as `CredentialsSignin`; `Configuration` if the user cannot do anything about it. */
  formErrors: string[]
  /** The code of a {@link CredentialsSignin}. */
  code?: string
  /** Why the code of an e-mail was refused. */
  reason?: CodeProblem | undefined
  /** How many attempts there are after an incorrect code. */
  attemptsLeft?: number | undefined
}

/** The result of a sign-in. */
export type SignInResult = ActionSuccess | ActionFailure<keyof SignInFields>

/** The result of a sign-out. */
export type SignOutResult = ActionSuccess | ActionFailure<keyof SignOutFields>

/** Starts a sign-in, or signs in with credentials. */
export function signIn(
  event: ActionEvent,
  source: ConfigSource,
  { providerId, redirectTo, authorizationParams, options = {} }: SignInFields,
): Promise<SignInResult> {
  return runAction(event, source, (context) =>
    context.signIn(providerId || undefined, {
      fields: { ...options, redirectTo: options.redirectTo ?? redirectTo },
      defaultRedirectTo: getPagePath(event),
      browserParams: authorizationParams,
    }),
  )
}

/** Ends the session. */
export function signOut(
  event: ActionEvent,
  source: ConfigSource,
  { redirectTo = getPagePath(event), federated }: SignOutFields,
): Promise<SignOutResult> {
  const isFederated = federated === true || federated === "true"
  return runAction(event, source, (context) =>
    context.signOut({ redirectTo, federated: isFederated }),
  )
}

/** Returns the page that an action was called from, the default target of its form. */
function getPagePath({ url, query }: ActionEvent): string {
  const parameters = new URLSearchParams(query)
  parameters.delete("qaction")
  return parameters.size > 0 ? `${url.pathname}?${parameters}` : url.pathname
}

/** Runs an action and redirects, or returns why it failed. */
async function runAction(
  event: ActionEvent,
  source: ConfigSource,
  run: (context: AuthContext) => Promise<string>,
): Promise<ActionSuccess | ActionFailure<never>> {
  const config = await getConfig(event, source)
  let redirect: string
  let url: URL
  try {
    const context = getAuthContext(event, config)
    url = context.url
    // Qwik checks this, too, unless the application disabled it.
    assertSameOrigin(event.request.headers, url.origin)
    redirect = await run(context)
  } catch (error) {
    return createActionFailure(event, error)
  }
  redirectAfterAction(event, new URL(redirect, url), url)
  return {}
}

/**
 * Returns the failure for an error of the library, whose details are in the log.
 *
 * @throws all other errors
 */
function createActionFailure(event: ActionEvent, error: unknown): ActionFailure<never> {
  if (!(error instanceof AuthError)) throw error
  const isPublic = isClientError(error)
  return event.fail(error.status, {
    fieldErrors: {},
    formErrors: [isPublic ? error.type : "Configuration"],
    ...(error instanceof CredentialsSignin ? { code: error.code } : {}),
    ...(error instanceof Verification
      ? { reason: error.codeProblem, attemptsLeft: error.attemptsLeft }
      : {}),
  })
}

/**
 * Redirects after an action. The browser always loads a new page: the data that the router of the old page has
 * prefetched belongs to the previous session, and Qwik 2 does not read the session again for the same page.
 */
function redirectAfterAction(event: ActionEvent, target: URL, { origin }: URL): void {
  if (!isScriptRequest(event)) throw createRedirect(event, target.href)
  // The router follows a path, and loads the page.
  if (target.origin === origin) {
    const headers = {
      location: getRedirectLocation(target, origin),
      "cache-control": "no-store",
    }
    throw event.send(new Response(null, { status: 303, headers }))
  }
  // Scripts cannot read the target of a redirect to another site, so the router receives it.
  if (!isPageDataRequest(event)) throw createRedirect(event, target.href)
  event.headers.set("Location", target.href)
}

/** Creates a redirect with status 303, which the browser follows with GET (RFC 9110 section 15.4.4). */
export function createRedirect(
  event: Pick<ActionEvent, "headers" | "redirect">,
  location: string,
): unknown {
  // Given the URL, Qwik would merge double slashes and write the URL to its log.
  const message = event.redirect(303, "")
  event.headers.set("Location", location)
  return message
}

/** Whether a script of the page sent the request, not the browser for a form. */
function isScriptRequest(event: ActionEvent): boolean {
  const accept = event.request.headers.get("accept")
  return isPageDataRequest(event) || accept?.includes("application/json") === true
}

/** Whether the router of Qwik 1 sent the request. It goes to the `Location` that the response contains. */
function isPageDataRequest({ request }: ActionEvent): boolean {
  const { pathname } = new URL(request.url)
  return removeDataSuffix(pathname) !== pathname
}

/** The fields that a page may show again. */
const nonSecretFields = ["providerId", "redirectTo", "options.redirectTo", "options.email"]

const isFormData = (value: unknown): value is FormData =>
  Object.prototype.toString.call(value) === "[object FormData]"

/**
 * Removes possible secrets from the submitted form, such as passwords. If a form was sent without JavaScript, Qwik
 * writes the remaining fields into the page, for `action.formData`.
 */
export function removeSecretFields({ sharedMap }: Pick<QwikEvent, "sharedMap">): void {
  for (const [key, form] of sharedMap) {
    if (!isFormData(form)) continue
    // A copy, because `delete` searches the whole form each time.
    const shown = new FormData()
    for (const name of nonSecretFields)
      for (const value of form.getAll(name)) shown.append(name, value)
    sharedMap.set(key, shown)
  }
}
