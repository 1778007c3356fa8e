/** The entry `@latchkey/pages/sign-in-email`: the e-mail that carries a sign-in link. */
import english from "../languages/en.ts"
import type { Language } from "../messages/messages.ts"
import { createPageMessages } from "../messages/page-messages.ts"
import type { Theme } from "../theme/theme.ts"
import {
  createEmailStyle,
  formatDuration,
  getApplicationName,
  preventAutoLink,
} from "./email-style.ts"
import { renderSignInEmail } from "./sign-in-email-html.ts"

/** The e-mail with a sign-in link, for a mailer. */
export interface SignInEmail {
  subject: string
  text: string
  html: string
}

/** The content of the e-mail. */
export interface SignInEmailContent {
  /** The link. */
  readonly url: string
  readonly expires: Date
  readonly theme: Theme
  /** @defaultValue English */
  readonly language?: Language | undefined
  /** The code for other devices. Without it, the e-mail has only the link. */
  readonly code?: string | undefined
  /** How long the code is valid at most, in seconds. */
  readonly codeMaxAge: number
}

/** Creates the built-in e-mail. */
export function createSignInEmail({
  url,
  expires,
  theme,
  language = english,
  code,
  codeMaxAge,
}: SignInEmailContent): SignInEmail {
  const messages = createPageMessages(language)
  const app = getApplicationName(theme, new URL(url).host)
  const maxAge = (expires.getTime() - Date.now()) / 1000
  const formatAge = (seconds: number) => formatDuration(seconds, language.tag)
  const subject = messages.text("signInEmailSubject", { app })
  const expiry = messages.text("signInEmailExpiry", { duration: formatAge(maxAge) })
  const ignoreHint = messages.text("signInEmailIgnore")
  const codeDuration = formatAge(Math.min(maxAge, codeMaxAge))
  const html = renderSignInEmail({
    ...createEmailStyle(theme, app),
    messages,
    subject,
    preview: expiry,
    app: preventAutoLink(app),
    expiry,
    url,
    code: code === undefined ? undefined : { value: code, duration: codeDuration },
  })
  const codeLines = code !== undefined && [
    messages.text("signInEmailCodeHint"),
    code,
    messages.text("signInEmailCodeExpiry", { app, duration: codeDuration }),
  ]
  const paragraphs = [subject, url, expiry, ...(codeLines || []), ignoreHint]
  return { subject, text: `${paragraphs.join("\n\n")}\n`, html }
}
