/** Sends the e-mail with a link and its code. */
import type { VerificationToken } from "../../adapters.ts"
import { randomHex } from "../../crypto/random.ts"
import { EmailSignInError } from "../../errors.ts"
import { buildActionsUrl } from "../../http/route.ts"
import { withTimeout } from "../../http/timeout.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedEmailProvider } from "../../providers/resolved-provider.ts"
import type { VerificationRequest } from "../../providers/types.ts"
import { createJsonRequest } from "../flow.ts"
import { isGuessable, maxTokenLength } from "../verification-token.ts"
import { consumeAttempt, deriveCode, storeFirstAttempt } from "./email-code.ts"
import { type EmailContext, markBrowser } from "./email-link.ts"

/** How long a mailer may take, in milliseconds. */
const mailerTimeout = 15_000

/** Stores a token, sends the link, and marks the browser as the one that requested it. */
export async function sendEmailLink(
  context: EmailContext,
  identifier: string,
  callbackUrl: string,
  rememberMe: boolean | undefined,
): Promise<void> {
  const { provider, request, hasher, store, logger } = context
  const token = await generateToken(provider)
  const expires = new Date(Date.now() + provider.maxAge * 1000)
  const text = `${provider.id} ${identifier} ${token}`
  const linkHash = await hasher.hash("email link", text)
  const { sendsCode, allowAnyBrowser } = provider
  const needsCode = sendsCode && !isGuessable(token) && !allowAnyBrowser
  const storedHash = needsCode ? await hasher.hash("email link with code", linkHash) : linkHash
  const email = await prepareEmail(context, { identifier, token, expires }, callbackUrl)
  const code = sendsCode ? await deriveCode(context, linkHash) : undefined
  if (code !== undefined) request.secrets.push(code)
  try {
    await store.createVerificationToken({ identifier, token: storedHash, expires })
    if (sendsCode) await storeFirstAttempt(context, linkHash, expires)
    await send(provider, omitUndefined({ ...email, code }))
  } catch (error) {
    // Nobody has the link. If its rows cannot be deleted now, they stay until they expire.
    const deleteLink = async () => {
      await store.useVerificationToken({ identifier, token: storedHash })
      if (sendsCode) await consumeAttempt(context, linkHash)
    }
    await deleteLink().catch((cause) => logger.error(cause))
    throw error
  }
  await markBrowser(context, identifier, token, { linkHash, needsCode, rememberMe })
}

async function prepareEmail(
  context: EmailContext,
  { identifier, token, expires }: VerificationToken,
  callbackUrl: string,
): Promise<VerificationRequest> {
  const { config, request, provider } = context
  const { id, definition } = provider
  const query = new URLSearchParams({ callbackUrl, token, email: identifier })
  const origin = config.authUrlOrigin ?? request.origin
  const url = `${buildActionsUrl(origin, config.basePath)}/callback/${id}?${query}`
  const { theme } = config
  const language = await context.selectLanguage(request)
  const jsonRequest = createJsonRequest(request, request.body)
  const link = { identifier, url, expires, token }
  return { ...link, provider: definition, theme, language, request: jsonRequest }
}

async function send(
  { id, definition }: ResolvedEmailProvider,
  email: VerificationRequest,
): Promise<void> {
  try {
    const sending = (async () => definition.sendVerificationRequest(email))()
    await withTimeout(
      mailerTimeout,
      sending,
      `The mailer took longer than ${mailerTimeout / 1000} s`,
    )
  } catch (cause) {
    throw new EmailSignInError(
      { summary: "The e-mail could not be sent." },
      { provider: id, cause },
    )
  }
}

async function generateToken({ id, definition }: ResolvedEmailProvider): Promise<string> {
  if (!definition.generateVerificationToken) return randomHex()
  const token: unknown = await definition.generateVerificationToken()
  if (typeof token === "string" && token !== "" && token.length <= maxTokenLength) return token
  const expected = `\`generateVerificationToken\` to return text of 1 to ${maxTokenLength} characters`
  throw new EmailSignInError({ provider: id, expected })
}
