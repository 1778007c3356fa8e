/** The entry `@latchkey/pages/security-email`: e-mails with the code of a second factor, and about changes of an account. */
import { html } from "../html.ts"
import english from "../languages/en.ts"
import type { Language, PlainMessageKey } from "../messages/messages.ts"
import { createPageMessages, strong } from "../messages/page-messages.ts"
import type { Theme } from "../theme/theme.ts"
import {
  normalFont,
  renderCodeBox,
  renderEmail,
  renderHeading,
  renderRow,
  smallFont,
} from "./email-html.ts"
import {
  createEmailStyle,
  formatDuration,
  getApplicationName,
  preventAutoLink,
} from "./email-style.ts"
import type { SignInEmail } from "./sign-in-email.ts"

/** What has changed. */
export type SecurityNotice =
  | "app-added"
  | "app-removed"
  | "recovery-codes-added"
  | "recovery-codes-removed"
  | "email-codes-added"
  | "email-codes-removed"
  | "passkey-added"
  | "passkey-removed"
  | "passkey-renamed"

const noticeTexts = {
  "app-added": "noticeAppAdded",
  "app-removed": "noticeAppRemoved",
  "recovery-codes-added": "noticeRecoveryCodesAdded",
  "recovery-codes-removed": "noticeRecoveryCodesRemoved",
  "email-codes-added": "noticeEmailCodesAdded",
  "email-codes-removed": "noticeEmailCodesRemoved",
  "passkey-added": "noticePasskeyAdded",
  "passkey-removed": "noticePasskeyRemoved",
  "passkey-renamed": "noticePasskeyRenamed",
} as const satisfies Readonly<Record<SecurityNotice, PlainMessageKey>>

/** The site that an e-mail comes from. */
export interface EmailSite {
  /** Names the application, unless the theme does. */
  readonly host: string
  readonly theme: Theme
  /** @defaultValue English */
  readonly language?: Language | undefined
}

/** Creates the e-mail with the code of a second factor. @param maxAge how long the code is valid, in seconds */
export function createCodeEmail(
  { host, theme, language = english }: EmailSite,
  code: string,
  maxAge: number,
): SignInEmail {
  const messages = createPageMessages(language)
  const { text, markup } = messages
  const app = getApplicationName(theme, host)
  const duration = formatDuration(maxAge, language.tag)
  const subject = text("codeEmailSubject", { app })
  const preview = text("codeEmailText")
  const parts = { ...createEmailStyle(theme, app), messages, subject, preview }
  const heading = markup("codeEmailSubject", { app: strong(preventAutoLink(app)) })
  const expiry = markup("signInEmailCodeExpiry", { app: preventAutoLink(app), duration })
  const rows = html`${renderHeading(parts, heading)}\
${renderRow(parts, "text", "12px 32px 24px", normalFont, markup("codeEmailText"))}\
${renderCodeBox(parts, code)}\
${renderRow(parts, "muted", "8px 32px 0", smallFont, expiry)}\
${renderRow(parts, "muted", "20px 32px 36px", smallFont, markup("codeEmailIgnore"))}`
  const expiryText = text("signInEmailCodeExpiry", { app, duration })
  const paragraphs = [subject, preview, code, expiryText, text("codeEmailIgnore")]
  return { subject, text: `${paragraphs.join("\n\n")}\n`, html: renderEmail(parts, rows) }
}

/** Creates the e-mail that tells a user of a change. */
export function createNoticeEmail(
  { host, theme, language = english }: EmailSite,
  notice: SecurityNotice,
): SignInEmail {
  const messages = createPageMessages(language)
  const { text, markup } = messages
  const app = getApplicationName(theme, host)
  const subject = text("noticeSubject", { app })
  const preview = text(noticeTexts[notice])
  const parts = { ...createEmailStyle(theme, app), messages, subject, preview }
  const heading = markup("noticeSubject", { app: strong(preventAutoLink(app)) })
  const rows = html`${renderHeading(parts, heading)}\
${renderRow(parts, "text", "12px 32px 0", normalFont, markup(noticeTexts[notice]))}\
${renderRow(parts, "text", "20px 32px 36px", normalFont, markup("noticeHint"))}`
  const paragraphs = [subject, preview, text("noticeHint")]
  return { subject, text: `${paragraphs.join("\n\n")}\n`, html: renderEmail(parts, rows) }
}
