/** Sends e-mails through the HTTP API of a mail service. */
import { EmailSignInError } from "../errors.ts"
import { isPlainObject, parseJsonObject } from "../objects.ts"
import { createMailFunctions, type MailFunctions } from "./mail-functions.ts"
import type { EmailConfig, MailMessage } from "./types.ts"

/** How long a service may take to respond, in milliseconds. */
const responseTimeout = 10_000
/** The most characters of the service's own message that an error quotes. */
const maxMessageLength = 200

/** A request of the service's API. An object is sent as JSON. */
interface MailApiRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object | FormData
}

/**
 * Returns functions that send the built-in e-mails, and others.
 *
 * @param createRequest creates the request as the service documents it
 * @throws EmailSignInError when the service does not accept the e-mail, with the status and the service's own message
 */
export const sendThroughApi = (
  createRequest: (message: MailMessage, apiKey: string) => MailApiRequest,
): MailFunctions =>
  createMailFunctions((message, provider, secrets) =>
    callMailApi(provider, [message.to, ...secrets], (apiKey) => createRequest(message, apiKey)),
  )

/**
 * Sends one POST request. It is not repeated, and redirects are not followed.
 *
 * @param secrets what an error must not quote
 * @throws EmailSignInError as {@link sendThroughApi}
 */
export async function callMailApi(
  { apiKey = "" }: EmailConfig,
  secrets: readonly string[],
  createRequest: (apiKey: string) => MailApiRequest,
): Promise<void> {
  const request = createRequest(apiKey)
  const isForm = !isPlainObject(request.body)
  const response = await fetch(request.url, {
    method: "POST",
    headers: {
      accept: "application/json",
      ...(isForm ? {} : { "content-type": "application/json" }),
      ...request.headers,
    },
    body: isForm ? (request.body as FormData) : JSON.stringify(request.body),
    redirect: "manual",
    signal: AbortSignal.timeout(responseTimeout),
  })
  if (response.ok) return response.body?.cancel()
  const reason = describeReason(await response.text(), [...secrets, apiKey])
  const service = new URL(request.url).host
  throw new EmailSignInError({ summary: `${service} returned status ${response.status}${reason}.` })
}

/** Quotes the message of an error response, without the values that no log may contain. */
function describeReason(text: string, secrets: readonly string[]): string {
  const body = parseJsonObject(text)
  const [firstError] = Array.isArray(body?.["errors"]) ? body["errors"] : []
  const message: unknown = body?.["message"] ?? body?.["Message"] ?? firstError?.message
  if (typeof message !== "string") return ""
  const plain = secrets
    .filter(Boolean)
    .reduce((line, secret) => line.replaceAll(secret, "…"), message)
  return `: ${JSON.stringify(plain.slice(0, maxMessageLength))}`
}

/** Splits a sender into its name, if it has one, and its address. */
export function parseSender(from: string): { email: string; name?: string } {
  const [, name, email] = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(from) ?? []
  if (email === undefined) return { email: from.trim() }
  return name ? { email, name } : { email }
}
