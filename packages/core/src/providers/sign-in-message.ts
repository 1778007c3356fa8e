/** The e-mail that carries a sign-in link. */
import type { Theme } from "../types.ts"

/** What the message is made of. */
export interface SignInMessage {
  url: string
  /** The host of the application, as people know it. */
  host: string
  theme: Theme
  /** In seconds. */
  lifetime: number
}

/** Subject and bodies of the message. */
export function signInMessage({ url, host, theme, lifetime }: SignInMessage): {
  subject: string
  text: string
  html: string
} {
  const until = `The link works once, for ${duration(lifetime)}.`
  const ignore = "If you did not ask for it, you can ignore this message."
  return {
    subject: `Sign in to ${host}`,
    text: `Sign in to ${host}:\n\n${url}\n\n${until}\n${ignore}\n`,
    html: page({ url: escaped(url), host: unlinked(host), theme, until, ignore }),
  }
}

function page(parts: {
  url: string
  host: string
  theme: Theme
  until: string
  ignore: string
}): string {
  const brand = colour(parts.theme.brandColor, "#2f5bd8")
  const text = colour(parts.theme.buttonText, "#ffffff")
  const font = "font-family:-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<title>Sign in to ${parts.host}</title></head>
<body style="margin:0;padding:32px 16px;background:#f6f7f9;${font}">
<table role="presentation" align="center" width="100%" style="max-width:480px;margin:0 auto;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px 32px 8px;font-size:20px;color:#16181d">Sign in to <strong>${parts.host}</strong></td></tr>
<tr><td style="padding:16px 32px"><a href="${parts.url}" target="_blank" style="display:inline-block;padding:12px 24px;border-radius:8px;background:${brand};color:${text};font-size:16px;text-decoration:none">Sign in</a></td></tr>
<tr><td style="padding:8px 32px 32px;font-size:14px;line-height:20px;color:#5b616e">${parts.until}<br>${parts.ignore}</td></tr>
</table></body></html>`
}

function duration(seconds: number): string {
  const hours = Math.round(seconds / 3600)
  if (hours >= 1) return hours === 1 ? "one hour" : `${hours} hours`
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes === 1 ? "one minute" : `${minutes} minutes`
}

/** A host that mail programs do not turn into a link of their own. */
function unlinked(host: string): string {
  return escaped(host).replaceAll(".", "&#8203;.")
}

function colour(value: string | undefined, fallback: string): string {
  return value !== undefined && /^(?:#[0-9a-f]{3,8}|[a-z]{1,24})$/i.test(value) ? value : fallback
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
}
