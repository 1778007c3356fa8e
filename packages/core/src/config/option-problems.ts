/** Options that are not of the kind they have to be. */
import { raw, skipCSRFCheck } from "../symbols.ts"
import { webUrl } from "./action-url.ts"
import type { AuthConfig } from "./auth-config.ts"
import { isPromise, type Rule, rule } from "./rule.ts"

export function optionRules(written: Partial<AuthConfig>): Rule[] {
  const { providers, basePath = "/auth", accountLinking, useSecureCookies } = written
  const linking: readonly unknown[] = [undefined, "explicit", "signed-in"]
  return [
    rule(
      "providers",
      providers,
      Array.isArray(providers),
      "an array",
      "Write `providers: [google]`, even where there is one provider or none.",
    ),
    rule(
      "basePath",
      basePath,
      isPath(basePath),
      'a path such as "/auth"',
      'Begin it with a slash, as in "/auth" or "/api/auth"; the origin is that of the request, or of AUTH_URL.',
    ),
    rule(
      "accountLinking",
      accountLinking,
      linking.includes(accountLinking),
      '"explicit" or "signed-in"',
    ),
    rule(
      "useSecureCookies",
      useSecureCookies,
      isSwitch(useSecureCookies),
      "true or false",
      "Leave it out: it follows the scheme of the request.",
    ),
    ...secretRules(written),
    ...symbolRules(written),
    ...adapterRules(written),
    ...proxyRules(written),
  ]
}

const basePathShape = /^(?:\/|(?:\/[\w.~%!$&'()*+,;=:@-]+)+)\/*$/

function isPath(value: unknown): boolean {
  return typeof value === "string" && basePathShape.test(value)
}

function isSwitch(value: unknown): boolean {
  return typeof (value ?? true) === "boolean"
}

/** A secret is not repeated, whatever it is. */
function secretRules({ secret, jwt }: Partial<AuthConfig>): Rule[] {
  return Object.entries({ secret, "jwt.secret": jwt?.secret as unknown }).map(
    ([option, value]) => ({
      option,
      value,
      holds: entriesOf(value).every((entry) => typeof entry === "string"),
      kind: "a text or an array of texts",
      came: entriesOf(value)
        .map((entry) => (entry === undefined ? "nothing" : `a ${typeof entry}`))
        .join(", "),
      hint: "Check that the environment variables which it is read from are set.",
    }),
  )
}

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value ?? ""]
}

/** A switch of another library would be ignored, and nobody would notice. */
function symbolRules(written: Partial<AuthConfig>): Rule[] {
  const kind = "the symbol of @latchkey/core"
  const own = (value: unknown, symbol: symbol) => typeof value !== "symbol" || value === symbol
  const hint = (name: string) => `Write: import { ${name} } from "@latchkey/core"`
  return [
    rule("raw", written.raw, own(written.raw, raw), kind, hint("raw")),
    rule(
      "skipCSRFCheck",
      written.skipCSRFCheck,
      own(written.skipCSRFCheck, skipCSRFCheck),
      kind,
      hint("skipCSRFCheck"),
    ),
  ]
}

function adapterRules({ adapter }: Partial<AuthConfig>): Rule[] {
  const isObject = typeof adapter === "object" && !isPromise(adapter)
  const kind = "an object with the methods of an adapter"
  return [rule("adapter", adapter, !adapter || isObject, kind, adapterHint(adapter))]
}

function adapterHint(adapter: unknown): string {
  if (typeof adapter === "function") return "Call it: `adapter: SqlAdapter(database)`."
  return isPromise(adapter)
    ? "Write `adapter: await …`, or hand over a configuration once the adapter is ready."
    : "Write `adapter: SqlAdapter(database)`, or leave it out."
}

const originShape = /^https?:\/\/(?:\*\.)?[^*/?#@\\\s]+$/

function proxyRules({ redirectProxyUrl, redirectProxyOrigins }: Partial<AuthConfig>): Rule[] {
  const origins: unknown = redirectProxyOrigins ?? []
  const isOrigin = (value: unknown) => typeof value === "string" && originShape.test(value)
  const wrong = Array.isArray(origins) ? origins.find((each) => !isOrigin(each)) : origins
  return [
    rule(
      "redirectProxyUrl",
      redirectProxyUrl,
      redirectProxyUrl === undefined || webUrl(redirectProxyUrl) !== undefined,
      "an http(s) URL up to the base path",
      'Write it with its scheme, as in "https://example.com/auth".',
    ),
    rule(
      "redirectProxyOrigins",
      wrong,
      Array.isArray(origins) && origins.every(isOrigin),
      "an array of origins",
      'Write each with its scheme, without a path: "https://preview.example.com", "https://*.example.com".',
    ),
  ]
}
