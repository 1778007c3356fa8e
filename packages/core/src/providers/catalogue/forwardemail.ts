import { sendThroughApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/**
 * Sends sign-in links through Forward Email.
 *
 * @see https://forwardemail.net/en/email-api#outbound-emails
 */
export default function forwardEmail(options: EmailUserConfig = {}): EmailConfig {
  return {
    id: "forwardemail",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    ...sendThroughApi((message, apiKey) => ({
      url: "https://api.forwardemail.net/v1/emails",
      headers: { authorization: `Basic ${btoa(`${apiKey}:`)}` },
      body: message,
    })),
    options,
  }
}
