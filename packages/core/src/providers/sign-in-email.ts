/** The e-mail that carries a sign-in link. */
import type { Theme } from "../types.ts"

/** The content of the message. */
export interface SignInEmailProps {
  url: string
  /** The host of the application. */
  host: string
  theme: Theme
  /** Lifetime of the link in seconds. */
  lifetime: number
}

/** Creates the subject and the bodies of the message. */
export function createSignInEmail({ url, host, theme, lifetime }: SignInEmailProps): {
  subject: string
  text: string
  html: string
} {
  const validityNote = `The link works once, for ${formatDuration(lifetime)}.`
  const ignoreNote = "If you did not request this e-mail, you can ignore it."
  return {
    subject: `Sign in to ${host}`,
    text: `Sign in to ${host}:\n\n${url}\n\n${validityNote}\n${ignoreNote}\n`,
    html: renderHtml({
      url: escapeHtml(url),
      host: preventAutoLink(host),
      theme,
      until: validityNote,
      ignore: ignoreNote,
    }),
  }
}

function renderHtml(props: {
  url: string
  host: string
  theme: Theme
  until: string
  ignore: string
}): string {
  const brand = sanitizeColor(props.theme.brandColor, "#2f5bd8")
  const text = sanitizeColor(props.theme.buttonText, "#ffffff")
  const font = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Sign in to ${props.host}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f7f9;${font}">
<table role="presentation" align="center" width="100%" style="max-width:480px;margin:0 auto;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px 32px 8px;font-size:20px;color:#16181d">Sign in to <strong>${props.host}</strong></td></tr>
<tr><td style="padding:16px 32px"><a href="${props.url}" target="_blank" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${brand};color:${text};font-size:16px;text-decoration:none">Sign in</a></td></tr>
<tr><td style="padding:8px 32px 32px;font-size:14px;line-height:20px;color:#5b616e">${props.until}<br>${props.ignore}</td></tr>
</table></body></html>`
}

function formatDuration(seconds: number): string {
  const hours = Math.round(seconds / 3600)
  if (hours >= 1) return hours === 1 ? "one hour" : `${hours} hours`
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes === 1 ? "one minute" : `${minutes} minutes`
}

/** Prevents mail clients from turning the host into a link. */
function preventAutoLink(host: string): string {
  return escapeHtml(host).replaceAll(".", "&#8203;.")
}

function sanitizeColor(value: string | undefined, fallback: string): string {
  return value !== undefined && /^(?:#[0-9a-f]{3,8}|[a-z]{1,24})$/i.test(value) ? value : fallback
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
