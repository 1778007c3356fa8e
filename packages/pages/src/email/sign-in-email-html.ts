/** The HTML of the e-mail with a sign-in link. */
import { html, type Markup } from "../html.ts"
import { strong } from "../messages/page-messages.ts"
import {
  type EmailParts,
  fontFamily,
  normalFont,
  renderCodeBox,
  renderEmail,
  renderHeading,
  renderRow,
  smallFont,
  table,
} from "./email-html.ts"

export interface SignInEmailParts extends EmailParts {
  /** The name of the application in the heading. */
  readonly app: string
  /** How long the link is valid. */
  readonly expiry: string
  readonly url: string
  /** The code for other devices, and how long it is valid. */
  readonly code: { readonly value: string; readonly duration: string } | undefined
}

/** Renders the message. */
export function renderSignInEmail(content: SignInEmailParts): string {
  const { messages, app, expiry, url, colors } = content
  const { markup } = messages
  const heading = markup("signInEmailSubject", { app: strong(app) })
  const link = html`<a class="muted" href="${url}" target="_blank" style="color:${colors["muted"]};text-decoration:underline;word-break:break-all"><span dir="ltr">${url}</span></a>`
  const rows = html`${renderHeading(content, heading)}\
${renderRow(content, "text", "12px 32px 24px", normalFont, html`${expiry}`)}\
${renderButton(content)}\
${renderCode(content)}\
${renderRow(content, "muted", "28px 32px 0", smallFont, html`${markup("signInEmailLinkHint")}<br>${link}`)}\
${renderRow(content, "muted", "20px 32px 36px", smallFont, markup("signInEmailIgnore"))}`
  return renderEmail(content, rows)
}

/** Renders a link in a coloured cell: Outlook ignores the padding of links, and takes `mso-padding-alt`. */
function renderButton({ colors, url, messages }: SignInEmailParts): Markup {
  return html`<tr><td class="side" style="padding:0 32px">
<${table} style="border-collapse:separate"><tr>
<td class="button" align="center" bgcolor="${colors["brand-color"]}" style="background-color:${colors["brand-color"]};border:1px solid ${colors["brand-hover"]};border-radius:10px;mso-padding-alt:13px 24px">\
<a href="${url}" target="_blank" style="display:block;padding:13px 24px;color:${colors["button-text-color"]};font-family:${fontFamily};${normalFont};font-weight:600;text-decoration:none">${messages.markup("signInButton")}</a></td>
</tr></table>
</td></tr>\n`
}

function renderCode(content: SignInEmailParts): Markup | undefined {
  const { code, messages, app } = content
  if (!code) return undefined
  const { value, duration } = code
  const hint = messages.markup("signInEmailCodeHint")
  const expiry = messages.markup("signInEmailCodeExpiry", { app, duration })
  return html`${renderRow(content, "muted", "28px 32px 8px", smallFont, hint)}\
${renderCodeBox(content, value)}\
${renderRow(content, "muted", "8px 32px 0", smallFont, expiry)}`
}
