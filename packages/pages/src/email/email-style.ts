/** What e-mails take from the theme, and how they write names and durations. */
import type { Theme } from "../theme/theme.ts"
import { createEmailPalette } from "./email-colors.ts"
import type { EmailParts } from "./email-html.ts"

/** Returns the colours and the logo of an e-mail. */
export function createEmailStyle(
  theme: Theme,
  app: string,
): Pick<EmailParts, "logo" | "schemes" | "colors" | "darkColors"> {
  const { colorScheme = "auto" } = theme
  return {
    logo: findLogo(theme, app),
    schemes: colorScheme === "auto" ? "light dark" : colorScheme,
    colors: createEmailPalette(colorScheme === "dark" ? "dark" : "light", theme),
    darkColors: colorScheme === "auto" ? createEmailPalette("dark", theme) : undefined,
  }
}

/** Returns the name of the application in one line, because it becomes part of a header. */
export const getApplicationName = ({ name }: Theme, host: string): string =>
  name?.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ") ?? host

/** Returns the logo if mail clients can load and show it: from an https URL, and no SVG. */
function findLogo({ logo, logoAlt }: Theme, app: string): { src: string; alt: string } | undefined {
  if (!logo || !URL.canParse(logo)) return undefined
  const { protocol, pathname, href } = new URL(logo)
  return protocol === "https:" && !/\.svgz?$/i.test(pathname)
    ? { src: href, alt: logoAlt ?? app }
    : undefined
}

/** Formats a duration in minutes, hours or days, rounded down, in the units of a language. */
export function formatDuration(seconds: number, language: string): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  const format = (value: number, unit: "minute" | "hour" | "day") =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(value)
  if (minutes < 120 && minutes !== 60) return format(minutes, "minute")
  return hours < 48 ? format(hours, "hour") : format(Math.floor(hours / 24), "day")
}

/** Prevents mail clients from turning a host into a link, with a space of no width before each dot. */
export function preventAutoLink(name: string): string {
  return name.replaceAll(".", "\u200B.")
}
