/**
 * The HTML of the e-mail with a sign-in link, for the subset that mail clients render: tables and inline styles, which
 * Outlook and Gmail need. Without the styles in its head, which some clients remove, it is the light version.
 */
import { html, Markup } from "../html.ts"
import { type PageMessages, strong } from "../messages/page-messages.ts"
import type { Palette } from "../theme/palette.ts"

export interface SignInEmailParts {
  readonly messages: PageMessages
  readonly subject: string
  /** The name of the application in the heading. */
  readonly app: string
  /** How long the link is valid: also the preview text in the list of messages. */
  readonly expiry: string
  readonly url: string
  /** The code for other devices, and how long it is valid. */
  readonly code: { readonly value: string; readonly duration: string } | undefined
  readonly logo: { readonly src: string; readonly alt: string } | undefined
  readonly colors: Palette
  /** The colours for clients in dark mode; undefined if the message has one colour scheme. */
  readonly darkColors: Palette | undefined
  /** The value of the `color-scheme` property. */
  readonly schemes: string
}

const table = new Markup(
  'table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"',
)
const fontFamily = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const codeFontFamily = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
const codeFont = "font-size:28px;line-height:36px;font-weight:600;letter-spacing:4px"
const largeFont = "font-size:22px;line-height:28px;font-weight:600"
const normalFont = "font-size:16px;line-height:24px"
const smallFont = "font-size:13px;line-height:20px"

/** Renders the message. */
export function renderSignInEmail(content: SignInEmailParts): string {
  const { messages, subject, expiry, colors, schemes } = content
  const language = html`lang="${messages.languageTag}" dir="${messages.direction}"`
  const canvas = html`class="canvas" bgcolor="${colors["canvas"]}" style="margin:0;padding:0;background-color:${colors["canvas"]}"`
  // Webmail removes the root element, and with it `lang` and `dir`.
  return html`<!DOCTYPE html>
<html ${language}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${schemes}">
<meta name="supported-color-schemes" content="${schemes}">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<style>${renderStyles(content)}</style>
</head>
<body ${canvas}>
<div ${language}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${expiry}</div>
<${table} ${canvas}>
<tr><td align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="480" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<${table} class="card" bgcolor="${colors["card"]}" style="max-width:480px;background-color:${colors["card"]};border:1px solid ${colors["hairline"]};border-radius:16px;border-collapse:separate">
${renderRows(content)}</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>
`.text
}

function renderRows(content: SignInEmailParts): Markup {
  const { messages, logo, app, expiry, url, colors } = content
  const { markup } = messages
  const heading = markup("signInEmailSubject", { app: strong(app) })
  const image =
    logo &&
    html`<img src="${logo.src}" alt="${logo.alt}" height="40" style="display:block;width:auto;height:auto;max-width:192px;max-height:48px;margin:0 0 24px;border:0">`
  const link = html`<a class="muted" href="${url}" target="_blank" style="color:${colors["muted"]};text-decoration:underline;word-break:break-all"><span dir="ltr">${url}</span></a>`
  return html`${renderRow(content, "text", "36px 32px 0", largeFont, html`${image}<h1 style="margin:0;${largeFont}">${heading}</h1>`)}\
${renderRow(content, "text", "12px 32px 24px", normalFont, html`${expiry}`)}\
${renderButton(content)}\
${renderCode(content)}\
${renderRow(content, "muted", "28px 32px 0", smallFont, html`${markup("signInEmailLinkHint")}<br>${link}`)}\
${renderRow(content, "muted", "20px 32px 36px", smallFont, markup("signInEmailIgnore"))}`
}

function renderRow(
  { colors, messages }: SignInEmailParts,
  role: "text" | "muted",
  padding: string,
  font: string,
  inner: Markup,
): Markup {
  const align = messages.direction === "rtl" ? "right" : "left"
  return html`<tr><td class="side ${role}" align="${align}" style="padding:${padding};color:${colors[role]};font-family:${fontFamily};${font}">${inner}</td></tr>\n`
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

/**
 * Renders the code with space in the middle that is no character, so that it is selected, copied and recognized in one
 * piece.
 */
function renderCode(content: SignInEmailParts): Markup | undefined {
  const { code, colors, messages, app } = content
  if (!code) return undefined
  const { value, duration } = code
  const hint = messages.markup("signInEmailCodeHint")
  const expiry = messages.markup("signInEmailCodeExpiry", { app, duration })
  const digits = html`<span dir="ltr" style="-webkit-user-select:all;user-select:all">${value.slice(0, 3)}<span style="padding-left:8px">${value.slice(3)}</span></span>`
  return html`${renderRow(content, "muted", "28px 32px 8px", smallFont, hint)}\
<tr><td class="side" style="padding:0 32px">
<${table} style="border-collapse:separate"><tr>
<td class="canvas text" align="center" bgcolor="${colors["canvas"]}" style="padding:12px 8px;background-color:${colors["canvas"]};border-radius:10px;color:${colors["text"]};font-family:${codeFontFamily};${codeFont}">${digits}</td>
</tr></table>
</td></tr>
${renderRow(content, "muted", "8px 32px 0", smallFont, expiry)}`
}

/** Renders the styles that cannot be inline. */
function renderStyles({ schemes, darkColors }: SignInEmailParts): Markup {
  const rules = [
    `:root{color-scheme:${schemes};supported-color-schemes:${schemes}}`,
    "@media(max-width:480px){.side{padding-left:20px!important;padding-right:20px!important}}",
  ]
  if (!darkColors) return new Markup(rules.join(""))
  const set = (selector: string, property: string, role: string) =>
    `${selector}{${property}:${darkColors[role]}!important}`
  const darkRules = [
    set(".canvas", "background-color", "canvas"),
    set(".card", "background-color", "card"),
    set(".card", "border-color", "hairline"),
    set(".text", "color", "text"),
    set(".muted", "color", "muted"),
    set(".button", "background-color", "brand-color"),
    set(".button", "border-color", "brand-hover"),
    set(".button a", "color", "button-text-color"),
  ]
  return new Markup(`${rules.join("")}@media(prefers-color-scheme:dark){${darkRules.join("")}}`)
}
