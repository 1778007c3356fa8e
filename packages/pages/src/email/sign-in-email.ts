/** The entry `@latchkey/pages/sign-in-email`: the e-mail that carries a sign-in link. */
import english from "../languages/en.ts"
import type { Language } from "../messages/messages.ts"
import { createPageMessages } from "../messages/page-messages.ts"
import type { Theme } from "../theme/theme.ts"
import { createEmailPalette } from "./sign-in-email-colors.ts"
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
  /** The code for other devices. Without it, the e-mail has the link alone. */
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
  // The name becomes part of a header.
  const app = theme.name?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ") ?? new URL(url).host
  const maxAge = (expires.getTime() - Date.now()) / 1000
  const formatAge = (seconds: number) => formatDuration(seconds, language.tag)
  const subject = messages.text("signInEmailSubject", { app })
  const expiry = messages.text("signInEmailExpiry", { duration: formatAge(maxAge) })
  const ignoreHint = messages.text("signInEmailIgnore")
  const codeDuration = formatAge(Math.min(maxAge, codeMaxAge))
  const { colorScheme = "auto" } = theme
  const html = renderSignInEmail({
    messages,
    subject,
    app: preventAutoLink(app),
    expiry,
    url,
    code: code === undefined ? undefined : { value: code, duration: codeDuration },
    logo: findLogo(theme, app),
    schemes: colorScheme === "auto" ? "light dark" : colorScheme,
    colors: createEmailPalette(colorScheme === "dark" ? "dark" : "light", theme),
    darkColors: colorScheme === "auto" ? createEmailPalette("dark", theme) : undefined,
  })
  const codeLines = code !== undefined && [
    messages.text("signInEmailCodeHint"),
    code,
    messages.text("signInEmailCodeExpiry", { app, duration: codeDuration }),
  ]
  const paragraphs = [subject, url, expiry, ...(codeLines || []), ignoreHint]
  return { subject, text: `${paragraphs.join("\n\n")}\n`, html }
}

/** Returns the logo if mail clients can load and show it: from an https URL, and no SVG. */
function findLogo({ logo, logoAlt }: Theme, app: string): { src: string; alt: string } | undefined {
  if (!logo || !URL.canParse(logo)) return undefined
  const { protocol, pathname, href } = new URL(logo)
  return protocol === "https:" && !/\.svgz?$/i.test(pathname)
    ? { src: href, alt: logoAlt ?? app }
    : undefined
}

/** Formats a duration in minutes, hours or days, rounded down, in the units of a language. */
function formatDuration(seconds: number, language: string): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  const format = (value: number, unit: "minute" | "hour" | "day") =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value)
  if (minutes < 120 && minutes !== 60) return format(minutes, "minute")
  return hours < 48 ? format(hours, "hour") : format(Math.floor(hours / 24), "day")
}

/** Prevents mail clients from turning a host into a link, with a space of no width before each dot. */
function preventAutoLink(name: string): string {
  return name.replaceAll(".", "\u200B.")
}
