/** Options that are not of the kind they have to be. */
import { raw, skipCSRFCheck } from "../symbols.ts"
import { parseWebUrl } from "./action-url.ts"
import type { AuthConfig } from "./auth-config.ts"
import { checkOption, isPromise, type OptionCheck } from "./option-check.ts"

export function checkOptions(authConfig: Partial<AuthConfig>): OptionCheck[] {
  const { providers, basePath = "/auth", accountLinking, useSecureCookies } = authConfig
  const linkingModes: readonly unknown[] = [undefined, "explicit", "signed-in"]
  return [
    checkOption(
      "providers",
      providers,
      Array.isArray(providers),
      "an array",
      "Write `providers: [google]`, even where there is one provider or none.",
    ),
    checkOption(
      "basePath",
      basePath,
      isPath(basePath),
      'a path such as "/auth"',
      'Begin it with a slash, as in "/auth" or "/api/auth"; the origin is that of the request, or of AUTH_URL.',
    ),
    checkOption(
      "accountLinking",
      accountLinking,
      linkingModes.includes(accountLinking),
      '"explicit" or "signed-in"',
    ),
    checkOption(
      "useSecureCookies",
      useSecureCookies,
      isBoolean(useSecureCookies),
      "true or false",
      "Leave it out: it follows the scheme of the request.",
    ),
    ...checkSecretTypes(authConfig),
    ...checkSymbols(authConfig),
    ...checkAdapterType(authConfig),
    ...checkRedirectProxy(authConfig),
  ]
}

const basePathPattern = /^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)\/*$/

function isPath(value: unknown): boolean {
  return typeof value === "string" && basePathPattern.test(value)
}

function isBoolean(value: unknown): boolean {
  return typeof (value ?? true) === "boolean"
}

/** A secret is not repeated, whatever it is. */
function checkSecretTypes({ secret, jwt }: Partial<AuthConfig>): OptionCheck[] {
  return Object.entries({ secret, "jwt.secret": jwt?.secret as unknown }).map(
    ([option, value]) => ({
      option,
      value,
      isValid: listSecretEntries(value).every((entry) => typeof entry === "string"),
      expectedKind: "a text or an array of texts",
      received: listSecretEntries(value)
        .map((entry) => (entry === undefined ? "nothing" : `a ${typeof entry}`))
        .join(", "),
      hint: "Check that the environment variables which it is read from are set.",
    }),
  )
}

function listSecretEntries(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value ?? ""]
}

/** A switch of another library would be ignored, and nobody would notice. */
function checkSymbols(authConfig: Partial<AuthConfig>): OptionCheck[] {
  const expectedKind = "the symbol of @latchkey/core"
  const isOwnSymbol = (value: unknown, symbol: symbol) =>
    typeof value !== "symbol" || value === symbol
  const hint = (name: string) => `Write: import { ${name} } from "@latchkey/core"`
  return [
    checkOption("raw", authConfig.raw, isOwnSymbol(authConfig.raw, raw), expectedKind, hint("raw")),
    checkOption(
      "skipCSRFCheck",
      authConfig.skipCSRFCheck,
      isOwnSymbol(authConfig.skipCSRFCheck, skipCSRFCheck),
      expectedKind,
      hint("skipCSRFCheck"),
    ),
  ]
}

function checkAdapterType({ adapter }: Partial<AuthConfig>): OptionCheck[] {
  const isObject = typeof adapter === "object" && !isPromise(adapter)
  const expectedKind = "an object with the methods of an adapter"
  return [
    checkOption("adapter", adapter, !adapter || isObject, expectedKind, createAdapterHint(adapter)),
  ]
}

function createAdapterHint(adapter: unknown): string {
  if (typeof adapter === "function") return "Call it: `adapter: SqlAdapter(database)`."
  return isPromise(adapter)
    ? "Write `adapter: await …`, or hand over a configuration once the adapter is ready."
    : "Write `adapter: SqlAdapter(database)`, or leave it out."
}

const originPattern = /^https?:\/\/(?:\*\.)?[^*/?#@\\\s]+$/

function checkRedirectProxy({
  redirectProxyUrl,
  redirectProxyOrigins,
}: Partial<AuthConfig>): OptionCheck[] {
  const origins: unknown = redirectProxyOrigins ?? []
  const isOrigin = (value: unknown) => typeof value === "string" && originPattern.test(value)
  const invalidOrigin = Array.isArray(origins) ? origins.find((each) => !isOrigin(each)) : origins
  return [
    checkOption(
      "redirectProxyUrl",
      redirectProxyUrl,
      redirectProxyUrl === undefined || parseWebUrl(redirectProxyUrl) !== undefined,
      "an http(s) URL up to the base path",
      'Write it with its scheme, as in "https://example.com/auth".',
    ),
    checkOption(
      "redirectProxyOrigins",
      invalidOrigin,
      Array.isArray(origins) && origins.every(isOrigin),
      "an array of origins",
      'Write each with its scheme, without a path: "https://preview.example.com", "https://*.example.com".',
    ),
  ]
}
