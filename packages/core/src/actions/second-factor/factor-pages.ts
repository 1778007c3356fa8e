/** The pages on which people prove a second factor, add one, and see their recovery codes. */
import type { AdapterFactor } from "../../adapters.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { maskAddress } from "../../flows/second-factor/email-codes.ts"
import { findPasskeyProvider } from "../../flows/second-factor/passkey-factor.ts"
import { tryOpenFactorData } from "../../flows/second-factor/stored-factors.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import type { FactorSetup } from "../../latchkey-auth.ts"
import type { ActionContext } from "../action-context.ts"
import { ensureCsrfToken } from "../csrf.ts"
import { avoidActions } from "../resolve-callback-url.ts"
import type { FactorSubject } from "./factor-subject.ts"

async function createForm(context: ActionContext, subject: FactorSubject) {
  const { csrfScope, pageUrl: action } = subject
  const csrfToken = await ensureCsrfToken(context, csrfScope)
  return { action, csrfToken, callbackUrl: avoidActions(context, subject.callbackUrl) }
}

/** Returns where somebody goes who does not continue: to the ways to sign in, or back. */
function getLeaveLink(context: ActionContext, { kind, callbackUrl }: FactorSubject) {
  if (kind === "session") return { kind: "cancel", url: callbackUrl } as const
  const query = new URLSearchParams({ callbackUrl: avoidActions(context, callbackUrl) })
  return { kind: "sign-in", url: `${context.request.actionsUrl}/signin?${query}` } as const
}

/** Asks for a factor that the user has. */
export async function showFactorPage(
  context: ActionContext,
  subject: FactorSubject,
  factors: readonly AdapterFactor[],
): Promise<ActionOutcome> {
  const { request, config, renderPage } = context
  const methods = listMethods(context, factors)
  const wanted = request.query.get("method")
  const method = methods.find((each) => each === wanted) ?? methods[0] ?? "totp"
  const others = methods.filter((each) => each !== method)
  const isIncorrect = request.query.get("error") === "incorrect"
  return renderPage(
    {
      page: "second-factor",
      method,
      form: await createForm(context, subject),
      isIncorrect,
      email:
        method === "email-codes" ? await describeEmail(context, factors, isIncorrect) : undefined,
      canTrust:
        subject.kind === "sign-in" &&
        method !== "recovery-codes" &&
        config.secondFactor?.trustDevice !== undefined,
      passkeyOptionsUrl: getPasskeyOptionsUrl(context, subject),
      others: others.map((other) => ({ method: other, url: getMethodUrl(subject, other) })),
      leave: getLeaveLink(context, subject),
    },
    request,
  )
}

/** Returns the URL of the page that asks for another factor, or adds one. */
function getMethodUrl({ kind, pageUrl, callbackUrl }: FactorSubject, method: string): string {
  const url = new URL(pageUrl)
  url.searchParams.set("method", method)
  if (kind === "session") url.searchParams.set("callbackUrl", callbackUrl)
  return url.href
}

/** Returns where a code is sent, as somebody may see it who has proven one factor, and whether it was. */
async function describeEmail(
  context: ActionContext,
  factors: readonly AdapterFactor[],
  isIncorrect: boolean,
) {
  const factor = factors.find(({ method }) => method === "email-codes")
  if (!factor) return undefined
  const data = await tryOpenFactorData(requireDatabase(context), factor)
  const isSent = isIncorrect || context.request.query.get("sent") === "true"
  // The page still leads to the other factors.
  return { address: data ? maskAddress(String(data["address"])) : "•••", isSent }
}

/** Returns the URL of the options with which a script asks for a passkey of the user. */
function getPasskeyOptionsUrl({ request, config }: ActionContext, { kind }: FactorSubject) {
  const id = findPasskeyProvider(config)?.id
  if (id === undefined) return undefined
  const query = new URLSearchParams({
    "second-factor": "true",
    ...(kind === "session" && { "step-up": "true" }),
  })
  return `${request.actionsUrl}/webauthn-options/${id}?${query}`
}

/** Returns the methods of which a user has a factor, in the order of the configuration. */
function listMethods({ config }: ActionContext, factors: readonly AdapterFactor[]) {
  const ids = (config.secondFactor?.methods ?? []).map(({ id }) => id)
  return ids.filter((id) => factors.some(({ method }) => method === id))
}

/** Shows the secret of a new app, and asks for its first code. */
export async function showSetupPage(
  context: ActionContext,
  subject: FactorSubject,
  {
    setup: { secret, url, setup },
    hasEmailCodes,
    isIncorrect,
  }: { setup: FactorSetup; hasEmailCodes: boolean; isIncorrect: boolean },
): Promise<ActionOutcome> {
  const form = await createForm(context, subject)
  const leave = getLeaveLink(context, subject)
  const emailUrl = hasEmailCodes ? getMethodUrl(subject, "email-codes") : undefined
  return context.renderPage(
    { page: "second-factor-setup", secret, url, setup, form, isIncorrect, emailUrl, leave },
    context.request,
  )
}

/** Asks whether to send a code by e-mail; or, with `setup`, for the code that was sent. */
export async function showEmailSetupPage(
  context: ActionContext,
  subject: FactorSubject,
  state: { address: string; setup?: string | undefined; isIncorrect: boolean },
): Promise<ActionOutcome> {
  const form = await createForm(context, subject)
  const leave = getLeaveLink(context, subject)
  const appUrl = getMethodUrl(subject, "totp")
  return context.renderPage(
    { page: "email-codes-setup", ...state, form, appUrl, leave },
    context.request,
  )
}

/** Shows new recovery codes, once, before the browser goes on. */
export async function showRecoveryCodes(
  { request, renderPage }: ActionContext,
  codes: readonly string[],
  continueUrl: string,
): Promise<ActionOutcome> {
  return renderPage({ page: "recovery-codes", codes, continueUrl }, request)
}
