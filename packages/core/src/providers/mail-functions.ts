/** The functions of a provider that can send any e-mail. */
import { markCodeSender } from "./code-senders.ts"
import { composeSignInEmail } from "./compose-sign-in-email.ts"
import type { EmailConfig, MailMessage } from "./types.ts"

/** The functions of a provider that send e-mails. */
export type MailFunctions = Required<Pick<EmailConfig, "sendVerificationRequest" | "sendMessage">>

/**
 * Returns the functions of a provider that can send any e-mail.
 *
 * @param send sends an e-mail; an error must not quote the secrets
 */
export function createMailFunctions(
  send: (message: MailMessage, provider: EmailConfig, secrets: readonly string[]) => Promise<void>,
): MailFunctions {
  return {
    sendVerificationRequest: markCodeSender(async (request) => {
      const { identifier, url, token, provider } = request
      const from = provider.from ?? `no-reply@${new URL(url).hostname}`
      const content = await composeSignInEmail(request)
      await send({ from, to: identifier, ...content }, provider, [url, token])
    }),
    sendMessage: async ({ secrets = [], ...message }, provider) =>
      send({ ...message, from: provider.from ?? message.from }, provider, secrets),
  }
}
