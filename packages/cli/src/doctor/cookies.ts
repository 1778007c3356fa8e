/** Cookies that a browser would not keep, or would show around. */

import { type DoctorContext, isLocalhost } from "./doctor-context.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"

export function* checkCookies({ config, url }: DoctorContext): Generator<Finding> {
  const isSecure = url.protocol === "https:"
  if (config.useSecureCookies === true && !isSecure && !isLocalhost(url)) {
    yield createErrorFinding(
      "cookies-refused",
      `\`useSecureCookies\` is on, and browsers keep no such cookies at ${url.origin}.`,
      "Serve the application by https, or leave the option out.",
    )
  }
  if (config.useSecureCookies === false && isSecure) {
    yield createWarningFinding(
      "cookies-insecure",
      `\`useSecureCookies\` is off at ${url.origin}: cookies travel in the clear when somebody types http.`,
      "Leave the option out: it follows the address.",
    )
  }
  for (const [key, cookie] of Object.entries(config.cookies ?? {})) {
    yield* checkCookieAttributes(key, cookie ?? {}, url, isSecure)
  }
}

interface CookieConfig {
  readonly name?: unknown
  readonly options?: object
}

function* checkCookieAttributes(
  key: string,
  { name, options = {} }: CookieConfig,
  url: URL,
  isSecure: boolean,
): Generator<Finding> {
  const { domain, sameSite, httpOnly, secure }: Record<string, unknown> = { ...options }
  if (/^__(?:Secure|Host)-/.test(String(name)) && !isSecure) {
    yield createErrorFinding(
      "cookies-refused",
      `\`cookies.${key}\` is named ${name}, which browsers keep only by https, not at ${url.origin}.`,
      "Name it so in production only, or leave the name out.",
    )
  }
  if (typeof domain === "string" && !isInDomain(url.hostname, domain)) {
    yield createErrorFinding(
      "cookies-refused",
      `\`cookies.${key}\` is for the domain ${domain}, and browsers refuse it from ${url.hostname}.`,
      "Use a domain that the address lies in, or leave it out.",
    )
  }
  if (sameSite === "none" && secure !== true && !isSecure) {
    yield createErrorFinding(
      "cookies-refused",
      `\`cookies.${key}\` is sent across sites, which browsers allow only by https.`,
      'Use sameSite "lax" where there is no https.',
    )
  }
  if (key === "sessionToken" && httpOnly === false) {
    yield createWarningFinding(
      "cookies-readable",
      "Scripts of the page can read the session cookie: one injected script takes over every visitor.",
      "Leave `httpOnly` out.",
    )
  }
}

function isInDomain(host: string, domain: string): boolean {
  const normalizedDomain = domain.replace(/^\./, "").toLowerCase()
  return host === normalizedDomain || host.endsWith(`.${normalizedDomain}`)
}
