import { parseSender, sendThroughApi } from "../send-through-api.ts"
import type { EmailConfig, EmailUserConfig } from "../types.ts"

/** The options of {@link mailgun}. */
export type MailgunOptions = EmailUserConfig & {
  /** The region of the domain. @defaultValue `"US"` */
  region?: "US" | "EU" | undefined
}

/**
 * Sends sign-in links through Mailgun, from the domain of `from`. Links are not tracked, because tracking would replace
 * them.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/api-reference/send/mailgun/messages
 */
export default function mailgun(options: MailgunOptions = {}): EmailConfig {
  const { region, ...rest } = options
  const host = region === "EU" ? "api.eu.mailgun.net" : "api.mailgun.net"
  return {
    id: "mailgun",
    name: "Email",
    type: "email",
    apiKey: undefined,
    maxAge: 86_400,
    ...sendThroughApi((message, apiKey) => {
      const [, domain = ""] = parseSender(message.from).email.split("@")
      const body = new FormData()
      for (const [name, value] of Object.entries(message)) body.set(name, value)
      body.set("o:tracking-clicks", "no")
      return {
        url: `https://${host}/v3/${encodeURIComponent(domain)}/messages`,
        headers: { authorization: `Basic ${btoa(`api:${apiKey}`)}` },
        body,
      }
    }),
    options: rest,
  }
}
