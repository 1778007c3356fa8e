import { parseSender, sendThroughApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/**
 * Sends sign-in links through SendGrid. Links are not tracked, because tracking would replace them.
 *
 * @see https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send
 */
export default function sendgrid(options: EmailUserConfig = {}): EmailConfig {
  return {
    id: "sendgrid",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    ...sendThroughApi(({ from, to, subject, text, html }, apiKey) => ({
      url: "https://api.sendgrid.com/v3/mail/send",
      headers: { authorization: `Bearer ${apiKey}` },
      body: {
        personalizations: [{ to: [{ email: to }] }],
        from: parseSender(from),
        subject,
        content: [
          { type: "text/plain", value: text },
          { type: "text/html", value: html },
        ],
        tracking_settings: { click_tracking: { enable: false, enable_text: false } },
      },
    })),
    options,
  }
}
