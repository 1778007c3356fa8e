import { sendThroughApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/**
 * Sends sign-in links through Postmark. `apiKey` is the token of a server. Links are not tracked, because tracking
 * would replace them.
 *
 * @see https://postmarkapp.com/developer/api/email-api
 */
export default function postmark(options: EmailUserConfig = {}): EmailConfig {
  return {
    id: "postmark",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    ...sendThroughApi(({ from, to, subject, text, html }, apiKey) => ({
      url: "https://api.postmarkapp.com/email",
      headers: { "x-postmark-server-token": apiKey },
      body: {
        From: from,
        To: to,
        Subject: subject,
        TextBody: text,
        HtmlBody: html,
        TrackLinks: "None",
      },
    })),
    options,
  }
}
