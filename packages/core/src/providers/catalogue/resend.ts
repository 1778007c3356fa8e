import { sendThroughApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/**
 * Sends sign-in links through Resend.
 *
 * @see https://resend.com/docs/api-reference/emails/send-email
 */
export default function resend(options: EmailUserConfig = {}): EmailConfig {
  return {
    id: "resend",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    ...sendThroughApi((message, apiKey) => ({
      url: "https://api.resend.com/emails",
      headers: { authorization: `Bearer ${apiKey}` },
      body: message,
    })),
    options,
  }
}
