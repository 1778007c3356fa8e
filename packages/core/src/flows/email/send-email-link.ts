/** Sends the e-mail with a link and its code. */
import { randomHex } from "../../crypto/random.ts"
import { EmailSignInError } from "../../errors.ts"
import { buildActionsUrl } from "../../http/route.ts"
import { withTimeout } from "../../http/timeout.ts"
import { noteCodeSender, sendsCode } from "../../providers/code-senders.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { VerificationRequest } from "../../providers/types.ts"
import { requireStore } from "../flow-context.ts"
import { createJsonRequest } from "../json-request.ts"
import { isGuessable, maxTokenLength } from "../verification-token.ts"
import { consumeAttempt, deriveCode, storeFirstAttempt } from "./email-code.ts"
import { type EmailContext, getHasher } from "./email-identity.ts"
import { markBrowser } from "./email-marker.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000
const createTimeoutError = () =>
  new TypeError(`The mailer took longer than ${mailerTimeout / 1000} s`)

interface EmailLink {
  readonly identifier: string
  readonly token: string
  readonly linkHash: string
  readonly expires: Date
}

/** How a link is stored: whether attempts to enter its code are, and whether other browsers need the code. */
interface StoredForm {
  readonly hasCode: boolean
  readonly needsCode: boolean
}

/**
 * Stores a token, sends the link, and marks the browser as the one that requested it. Returns whether the e-mail
 * carries a code that can be entered.
 */
export async function sendEmailLink(
  context: EmailContext,
  identifier: string,
  callbackUrl: string,
  rememberMe: boolean | undefined,
): Promise<boolean> {
  const { provider, logger } = context
  const token = await generateToken(provider)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const text = `${provider.id} ${identifier} ${token}`
  const linkHash = await getHasher(context).hash("email link", text)
  const link: EmailLink = { identifier, token, linkHash, expires }
  // Attempts are the same for all addresses once a code was sent: some functions send nothing to unknown ones.
  const getForm = (hasCode: boolean): StoredForm => ({
    hasCode: hasCode || sendsCode(provider.definition.sendVerificationRequest) === true,
    needsCode: hasCode && !isGuessable(token) && !provider.allowAnyBrowser,
  })
  const email = await prepareEmail(context, link, callbackUrl)
  let form = getForm(sendsCode(provider.definition.sendVerificationRequest) ?? false)
  let hasCode: boolean
  try {
    await storeLink(context, link, form)
    hasCode = await send(context, email)
  } catch (error) {
    // Nobody has the link. If its rows cannot be deleted now, they stay until they expire.
    await deleteLink(context, link, form).catch((fault) => logger.error(fault))
    throw error
  }
  const sentForm = getForm(hasCode)
  if (sentForm.hasCode !== form.hasCode || sentForm.needsCode !== form.needsCode) {
    // The e-mail is sent: reports success even if this fails. The link works either way.
    try {
      await replaceLink(context, link, form, sentForm)
      form = sentForm
    } catch (fault) {
      logger.error(fault)
    }
  }
  await markBrowser(context, identifier, token, { linkHash, ...form, rememberMe })
  return form.hasCode
}

async function storeLink(context: EmailContext, link: EmailLink, form: StoredForm): Promise<void> {
  await requireStore(context).createVerificationToken({
    identifier: link.identifier,
    token: await getStoredHash(context, link.linkHash, form.needsCode),
    expires: link.expires,
  })
  if (form.hasCode) await storeFirstAttempt(context, link.linkHash, link.expires)
}

async function deleteLink(context: EmailContext, link: EmailLink, form: StoredForm): Promise<void> {
  const token = await getStoredHash(context, link.linkHash, form.needsCode)
  await requireStore(context).useVerificationToken({ identifier: link.identifier, token })
  if (form.hasCode) await consumeAttempt(context, link.linkHash)
}

/** Stores the new form of a link before it deletes the old one. The attempts of its code stay. */
async function replaceLink(
  context: EmailContext,
  link: EmailLink,
  before: StoredForm,
  after: StoredForm,
): Promise<void> {
  if (before.needsCode === after.needsCode)
    return storeFirstAttempt(context, link.linkHash, link.expires)
  await storeLink(context, link, { ...after, hasCode: after.hasCode && !before.hasCode })
  await deleteLink(context, link, { ...before, hasCode: false })
}

const getStoredHash = async (context: EmailContext, linkHash: string, needsCode: boolean) =>
  needsCode ? getHasher(context).hash("email link with code", linkHash) : linkHash

/** An e-mail, and whether its code was read, so that it carries the code. */
interface PreparedEmail {
  readonly request: VerificationRequest
  isCodeRead: boolean
}

async function prepareEmail(
  context: EmailContext,
  { identifier, token, linkHash, expires }: EmailLink,
  callbackUrl: string,
): Promise<PreparedEmail> {
  const { config, request, provider } = context
  const { id, definition } = provider
  const query = new URLSearchParams({ callbackUrl, token, email: identifier })
  const origin = config.authUrlOrigin ?? request.origin
  const url = `${buildActionsUrl(origin, config.basePath)}/callback/${id}?${query}`
  const { theme } = config
  const language = await context.selectLanguage(request)
  const jsonRequest = createJsonRequest(request, request.body)
  const link = { identifier, url, expires, token }
  const fields = { ...link, provider: definition, theme, language, request: jsonRequest }
  const code = await deriveCode(context, linkHash)
  request.secrets.push(code)
  const get = () => {
    email.isCodeRead = true
    return code
  }
  // Not enumerable: a function that copies or logs its parameter does not send the code.
  const verificationRequest = Object.defineProperty(fields, "code", { get }) as typeof fields & {
    readonly code: string
  }
  const email: PreparedEmail = { request: verificationRequest, isCodeRead: false }
  return email
}

/** Sends the e-mail, and returns whether it carries the code. */
async function send({ provider }: EmailContext, email: PreparedEmail): Promise<boolean> {
  const { id, definition } = provider
  try {
    const sending = (async () => definition.sendVerificationRequest(email.request))()
    await withTimeout(mailerTimeout, sending, createTimeoutError)
  } catch (cause) {
    throw new EmailSignInError("The e-mail could not be sent.", { provider: id, cause })
  }
  noteCodeSender(definition.sendVerificationRequest, email.isCodeRead)
  return email.isCodeRead
}

async function generateToken({ id, definition }: ResolvedEmailProvider): Promise<string> {
  if (!definition.generateVerificationToken) return randomHex()
  const token: unknown = await definition.generateVerificationToken()
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  const expected = `\`generateVerificationToken\` to return text of 1 to ${maxTokenLength} characters`
  throw new EmailSignInError({ provider: id, expected })
}
