/** Checks for cookies that browsers reject or that others can read. */

import { type DoctorContext, isLocalhost } from "./doctor-context.ts"
import { createErrorFinding, createWarningFinding, type Finding } from "./finding.ts"

export function* checkCookies({ config, url }: DoctorContext): Generator<Finding> {
  const isSecure = url.protocol === "https:"
  if (config.useSecureCookies === true && !isSecure && !isLocalhost(url)) {
    yield createErrorFinding(
      "cookies-refused",
      `\`useSecureCookies\` is on, but browsers reject such cookies at ${url.origin}.`,
      "Serve the application over https, or remove the option.",
    )
  }
  if (config.useSecureCookies === false && isSecure) {
    yield createWarningFinding(
      "cookies-insecure",
      `\`useSecureCookies\` is off at ${url.origin}: cookies are sent unencrypted if a user opens the http address.`,
      "Remove the option: the default depends on the URL.",
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
      `\`cookies.${key}\` is named ${name}, which browsers accept only over https, not at ${url.origin}.`,
      "Use this name in production only, or remove it.",
    )
  }
  if (typeof domain === "string" && !isInDomain(url.hostname, domain)) {
    yield createErrorFinding(
      "cookies-refused",
      `\`cookies.${key}\` has the domain ${domain}, which browsers reject from ${url.hostname}.`,
      "Use a domain that contains the host, or remove it.",
    )
  }
  if (sameSite === "none" && secure !== true && !isSecure) {
    yield createErrorFinding(
      "cookies-refused",
      `\`cookies.${key}\` is sent across sites, which browsers allow only over https.`,
      'Use sameSite "lax" without https.',
    )
  }
  if (key === "sessionToken" && httpOnly === false) {
    yield createWarningFinding(
      "cookies-readable",
      "Scripts can read the session cookie: a single injected script can take over the sessions of all users.",
      "Remove `httpOnly`.",
    )
  }
}

function isInDomain(host: string, domain: string): boolean {
  const normalizedDomain = domain.replace(/^\./, "").toLowerCase()
  return host === normalizedDomain || host.endsWith(`.${normalizedDomain}`)
}
