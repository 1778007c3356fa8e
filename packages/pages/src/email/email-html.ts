/**
 * The HTML of e-mails, for the subset that mail clients render: tables and inline styles, which Outlook and Gmail need.
 * Without the styles in its head, which some clients remove, it is the light version.
 */
import { html, Markup } from "../html.ts"
import type { PageMessages } from "../messages/page-messages.ts"
import type { Palette } from "../theme/palette.ts"

/** What all e-mails have. */
export interface EmailParts {
  readonly messages: PageMessages
  readonly subject: string
  /** The preview text in the list of messages. */
  readonly preview: string
  readonly logo: { readonly src: string; readonly alt: string } | undefined
  readonly colors: Palette
  /** The colours for clients in dark mode; undefined if the message has one colour scheme. */
  readonly darkColors: Palette | undefined
  /** The value of the `color-scheme` property. */
  readonly schemes: string
}

export const table: Markup = new Markup(
  'table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"',
)
export const fontFamily: string =
  "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const codeFontFamily = "ui-monospace,SFMono-Regular,Menlo,Consolas,monospace"
const codeFont = "font-size:28px;line-height:36px;font-weight:600;letter-spacing:4px"
const largeFont = "font-size:22px;line-height:28px;font-weight:600"
export const normalFont: string = "font-size:16px;line-height:24px"
export const smallFont: string = "font-size:13px;line-height:20px"

/** Renders a message. */
export function renderEmail(parts: EmailParts, rows: Markup): string {
  const { messages, subject, preview, colors, schemes } = parts
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
<style>${renderStyles(parts)}</style>
</head>
<body ${canvas}>
<div ${language}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preview}</div>
<${table} ${canvas}>
<tr><td align="center" style="padding:32px 16px">
<!--[if mso]><table role="presentation" width="480" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<${table} class="card" bgcolor="${colors["card"]}" style="max-width:480px;background-color:${colors["card"]};border:1px solid ${colors["hairline"]};border-radius:16px;border-collapse:separate">
${rows}</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>
`.text
}

/** Renders the logo, if there is one, and the heading. */
export function renderHeading(parts: EmailParts, heading: Markup): Markup {
  const { logo } = parts
  const image =
    logo &&
    html`<img src="${logo.src}" alt="${logo.alt}" height="40" style="display:block;width:auto;height:auto;max-width:192px;max-height:48px;margin:0 0 24px;border:0">`
  const inner = html`${image}<h1 style="margin:0;${largeFont}">${heading}</h1>`
  return renderRow(parts, "text", "36px 32px 0", largeFont, inner)
}

/** Renders a row of the card. */
export function renderRow(
  { colors, messages }: EmailParts,
  role: "text" | "muted",
  padding: string,
  font: string,
  inner: Markup,
): Markup {
  const align = messages.direction === "rtl" ? "right" : "left"
  return html`<tr><td class="side ${role}" align="${align}" style="padding:${padding};color:${colors[role]};font-family:${fontFamily};${font}">${inner}</td></tr>\n`
}

/**
 * Renders a code with space in the middle that is no character, so that it is selected, copied and recognized in one
 * piece.
 */
export function renderCodeBox({ colors }: EmailParts, value: string): Markup {
  const digits = html`<span dir="ltr" style="-webkit-user-select:all;user-select:all">${value.slice(0, 3)}<span style="padding-left:8px">${value.slice(3)}</span></span>`
  return html`<tr><td class="side" style="padding:0 32px">
<${table} style="border-collapse:separate"><tr>
<td class="canvas text" align="center" bgcolor="${colors["canvas"]}" style="padding:12px 8px;background-color:${colors["canvas"]};border-radius:10px;color:${colors["text"]};font-family:${codeFontFamily};${codeFont}">${digits}</td>
</tr></table>
</td></tr>
`
}

/** Renders the styles that cannot be inline. */
function renderStyles({ schemes, darkColors }: EmailParts): Markup {
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
