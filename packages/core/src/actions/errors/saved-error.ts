/**
 * Hands an error to the built-in page that the browser is redirected to: the error report of development and, for the
 * form of a failed sign-in, what was typed. Sealed cookies that are read once hold them, because a URL would reveal them.
 */

import type { ErrorReport, SignInFailure } from "@latchkey/pages"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import { listErrors } from "../../errors/classify-error.ts"
import { composedErrors } from "../../errors/composed-errors.ts"
import { getErrorMessage } from "../../errors/describe-value.ts"
import { AuthError } from "../../errors.ts"
import type { ActionOutcome } from "../../http/action-outcome.ts"
import type { ActionRequest, ErrorReportRecorder } from "../../http/action-request.ts"
import { createHostCookie } from "../../http/cookies.ts"
import { isCrossSite } from "../../http/cross-origin.ts"
import { readTextField } from "../../http/request-body.ts"
import { createTextRedactor } from "../../logging/redact-text.ts"
import { redactHint } from "../../logging/redactor.ts"
import { isError } from "../../objects.ts"
import { isSecretField } from "../../providers/form-fields.ts"
import type { ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ActionContext } from "../action-context.ts"
import { readRememberMe } from "../sign-in/sign-in-request.ts"

/** How long the browser may take to open the page, in seconds. */
const maxAge = 120
/** Size limit of a report in bytes: its sealed form has to fit into one cookie (RFC 6265bis section 6.1). */
const maxReportBytes = 2600
/** How many errors a report has: the error, and those behind it. */
const maxErrors = 6
/** Longest address or name in characters that is kept. */
const maxIdentifierLength = 320

/**
 * Saves what the page that shows an error needs, and logs the error report with `debug`.
 *
 * @param requestSecrets values of the request that the report must not contain
 */
export async function saveError(
  error: unknown,
  context: ActionContext,
  outcome: ActionOutcome,
  requestSecrets: readonly string[],
): Promise<void> {
  const { request, config, logger } = context
  const { actionsUrl, reportRecorder } = request
  const target = outcome.kind === "redirect" ? outcome.to : ""
  const isSignInPage = target.startsWith(`${actionsUrl}/signin?`)
  const isShown = isSignInPage || target.startsWith(`${actionsUrl}/error?`)
  try {
    if (isSignInPage) await saveSignInFailure(context, error)
    if (!reportRecorder) return
    // First, because a response can contain more values than a redactor replaces.
    reportRecorder.secrets.unshift(...config.configuredSecrets, ...requestSecrets)
    const report = createErrorReport(error, request, reportRecorder)
    logger.debug("error-report", report)
    if (config.development && isShown) await save(context, "error report", fitReport(report))
  } catch (cause) {
    logger.error(cause)
  }
}

/**
 * Saves which form the sign-in page shows the error at, the address or name that was typed, the choice to stay signed in,
 * and the passkey that the browser may forget: a URL could name any passkey.
 */
async function saveSignInFailure(context: ActionContext, error: unknown): Promise<void> {
  const { request, config, caller } = context
  const provider = config.providers.get(request.providerId ?? "")
  // Scripts show errors themselves.
  const isForScript = caller !== "browser" || request.headers.get("x-auth-return-redirect") !== null
  if (!provider || isForScript) return
  // Another site must not choose what the form contains.
  const isForeign = isCrossSite(request.headers, request.origin, config.trustedOrigins)
  const identifier = isForeign ? undefined : readTypedIdentifier(request, provider)
  // A choice that the request has already is the visitor's own, also on the way back from a provider.
  const rememberMe = request.signIn.rememberMe ?? (isForeign ? undefined : readRememberMe(context))
  const { unknownPasskey } = Object(Object(error).cause)
  if (!identifier && rememberMe === undefined && !unknownPasskey) return
  const failure = { provider: provider.id, identifier, rememberMe, unknownPasskey }
  await save(context, "sign-in failure", failure)
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

/** Returns the failed sign-in that the sign-in page has to show. */
export async function consumeSignInFailure(
  context: ActionContext,
): Promise<SignInFailure | undefined> {
  const failure = await consume(context, "sign-in failure")
  return failure as SignInFailure | undefined // sealed above
}

/** Returns the report for a page that shows an error. */
export async function consumeErrorReport(context: ActionContext): Promise<ErrorReport | undefined> {
  const report = context.config.development && (await consume(context, "error report"))
  return (report || undefined) as ErrorReport | undefined // sealed above
}

/** The cookies, by the purposes of what they contain. */
const cookiePurposes = {
  "error report": "error-report",
  "sign-in failure": "sign-in-failure",
} as const

type SavedPurpose = keyof typeof cookiePurposes

const getCookie = ({ cookieDefinitions }: ActionRequest, purpose: SavedPurpose) =>
  createHostCookie(cookieDefinitions, cookiePurposes[purpose])

async function save(
  { request, sealer }: ActionContext,
  purpose: SavedPurpose,
  value: object,
): Promise<void> {
  const cookie = getCookie(request, purpose)
  request.jar.set(cookie, await sealer.seal(purpose, value, maxAge), { maxAge })
  request.jar.keepOnError(cookie.name, "always")
}

/** Returns what was saved for a page that shows an error, and deletes its cookie. */
async function consume({ request, sealer }: ActionContext, purpose: SavedPurpose) {
  const cookie = getCookie(request, purpose)
  const sealed = request.cookies.get(cookie.name)
  if (!request.query.has("error") || sealed === undefined) return undefined
  request.jar.delete(cookie)
  return sealer.open(purpose, sealed)
}

/** Shortens the texts of a report until it fits, then drops the first steps: the last ones are the most useful. */
function fitReport(report: ErrorReport, maxLength = 400): ErrorReport {
  const isShortest = maxLength < 50
  const size = new TextEncoder().encode(JSON.stringify(report)).length
  if (size <= maxReportBytes || (isShortest && report.steps.length === 0)) return report
  if (isShortest) return fitReport({ ...report, steps: report.steps.slice(1) }, maxLength)
  const shorten = (text: string) =>
    text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return fitReport(mapTexts(report, shorten), maxLength / 2)
}

/** Applies a function to all texts in a value. */
function mapTexts<T extends object>(value: T, transform: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, value) =>
    typeof value === "string" ? transform(value) : value,
  )
}

/** The values of `Sec-Fetch-Site` (Fetch Metadata) in words. */
const senders: ReadonlyMap<string, string> = new Map([
  ["cross-site", "sent from another site"],
  ["same-origin", "sent from a page of the application"],
  ["same-site", "sent from another host of the site"],
  ["none", "opened without a link: typed, or from a bookmark or another program"],
])

function createErrorReport(
  error: unknown,
  request: ActionRequest,
  { steps, secrets }: ErrorReportRecorder,
): ErrorReport {
  const { method, url, origin, headers } = request
  const sender = headers.get("sec-fetch-site") ?? headers.get("origin") ?? "an unknown sender"
  const received = `${method} ${url.pathname} at ${origin}, ${senders.get(sender) ?? `sent by ${sender}`}`
  const knownSecrets = secrets.filter((value) => typeof value === "string")
  // Two redactors, because each replaces a limited number of secrets and a browser may send many cookies.
  const redactors = [knownSecrets, collectCookieValues(request)].map((values) =>
    createTextRedactor(values, true),
  )
  const redact = (text: string, isSentence: boolean) =>
    redactors.reduce(
      (rest, { redactLine, redactSentence }) => (isSentence ? redactSentence : redactLine)(rest),
      text,
    )
  const redactMessage = (each: unknown, text: string) =>
    redact(text, composedErrors.has(Object(each)))
  const causes = listErrors(error, maxErrors).slice(1).filter(isError)
  const isOwn = error instanceof AuthError
  return {
    type: isOwn ? error.type : "Error",
    message: redactMessage(error, getErrorMessage(error)),
    hint: isOwn ? redactHint(error, (hint) => redactMessage(error, hint)) : "",
    docs: isOwn ? error.docs : "",
    causes: causes.map((each) => redactMessage(each, formatError(each))),
    heading: "Steps",
    steps: mapTexts([{ name: "Request", received }, ...steps], (text) => redact(text, true)),
  }
}

/** Short values are left out, because they are parts of harmless words. URLs and ids of providers are no secrets. */
function collectCookieValues({ cookies, cookieDefinitions }: ActionRequest): string[] {
  const { callbackUrl, lastProvider } = cookieDefinitions
  const publicNames = [callbackUrl.name, lastProvider.name]
  const names = cookies.namesWithPrefix("").filter((name) => !publicNames.includes(name))
  return names.map((name) => cookies.get(name) ?? "").filter((value) => value.length >= 8)
}

function formatError(error: unknown): string {
  const { name, code, message } = Object(error)
  return /^\w{1,60}$/.test(code ?? "") ? `${name} (${code}): ${message}` : `${name}: ${message}`
}

/** Returns the report of the problems of a configuration, or of its providers if these are the only ones. */
export function reportConfigProblems(config: ResolvedConfig): ErrorReport | undefined {
  const { configuredSecrets, development, providerProblems } = config
  const problems = [...config.problems, ...providerProblems]
  if (!development || problems.length === 0) return undefined
  const refused = config.problems.length > 0 ? "Every request is refused" : "Providers are left out"
  const count = problems.length === 1 ? "A problem" : `${problems.length} problems`
  const report = {
    type: `${count} of the configuration`,
    message: `${refused} until you fix the configuration and restart the server.`,
    hint: "",
    docs: "",
    causes: [],
    heading: "Problems",
    steps: problems.map(({ type, message, hint, docs, cause = {} }) => ({
      name: cause["option"] ? `${type}: ${cause["option"]}` : type,
      expected: String(cause["expected"] ?? message),
      received: cause["received"] === undefined ? undefined : String(cause["received"]),
      hint: `${hint} (${docs})`,
      isAsExpected: false,
    })),
  }
  return mapTexts(report, createTextRedactor(configuredSecrets).redactSentence)
}
