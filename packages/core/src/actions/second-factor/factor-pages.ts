/** The pages on which people prove a second factor, add one, and see their recovery codes. */
import type { AdapterFactor } from "../../adapters.ts"
import { findPasskeyProvider } from "../../flows/second-factor/passkey-factor.ts"
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
  const getUrl = (other: string) => {
    const url = new URL(subject.pageUrl)
    url.searchParams.set("method", other)
    if (subject.kind === "session") url.searchParams.set("callbackUrl", subject.callbackUrl)
    return url.href
  }
  const others = methods.filter((each) => each !== method)
  return renderPage(
    {
      page: "second-factor",
      method,
      form: await createForm(context, subject),
      isIncorrect: request.query.get("error") === "incorrect",
      canTrust:
        subject.kind === "sign-in" &&
        method !== "recovery-codes" &&
        config.secondFactor?.trustDevice !== undefined,
      passkeyOptionsUrl: getPasskeyOptionsUrl(context, subject),
      others: others.map((other) => ({ method: other, url: getUrl(other) })),
      leave: getLeaveLink(context, subject),
    },
    request,
  )
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
  { secret, url, setup }: FactorSetup,
  isIncorrect: boolean,
): Promise<ActionOutcome> {
  const form = await createForm(context, subject)
  const leave = getLeaveLink(context, subject)
  return context.renderPage(
    { page: "second-factor-setup", secret, url, setup, form, isIncorrect, leave },
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
