/** The rules for the fields of providers, and for the hosts and secrets that they depend on. */

import { describeValue } from "../../errors/describe-value.ts"
import {
  AuthError,
  InvalidEndpoints,
  InvalidOption,
  MissingAuthorize,
  MissingClientId,
  MissingWebAuthnAutocomplete,
} from "../../errors.ts"
import { isLoopbackHost, isSecureEndpoint } from "../../http/private-hosts.ts"
import type { ResolvedOAuthProvider, ResolvedProvider } from "../../providers/resolved-provider.ts"
import type { ProviderType, WarningCode } from "../../types.ts"
import { createVariableHint, getProviderVariable } from "../environment.ts"
import type { ResolvedConfig } from "../resolved-config.ts"
import { findBrokenRules, functionRule, type Rule } from "./rules.ts"

type ProviderOf<Type extends ProviderType> = Extract<ResolvedProvider, { type: Type }>
type FieldRules<Type extends ProviderType> = Readonly<Record<string, Rule<ProviderOf<Type>>>>

const insecureHint =
  "Plain http reveals codes and tokens to the network: if you trust it, set `[allowInsecureRequests]: true`, with the " +
  "symbol of @latchkey/core."

/** A URL can be missing if the metadata of the issuer has it. */
const urlRule: Rule<ResolvedOAuthProvider> = {
  ErrorClass: InvalidEndpoints,
  isValid: (url, provider) =>
    url === undefined
      ? provider.type === "oidc" || Boolean(provider.issuer)
      : isDerivedFromInvalidIssuer(url, provider) || isSecureUrl(url, provider),
  expected: "an https URL",
  hint:
    "Use the URL in the provider's documentation, or omit it if you set an `issuer`. " +
    insecureHint,
}

const endpointRule = { ...urlRule, isRequired: true }

const oauthRules: FieldRules<"oauth" | "oidc"> = {
  clientId: {
    ErrorClass: MissingClientId,
    isRequired: true,
    isValid: Boolean,
    expected: "the id of your application at the provider",
    describe: describeClientId,
    hint: ({ id }) => {
      const variable = getProviderVariable(id, "ID")
      const hint = `Set \`clientId\`, or ${variable}, to the value that the provider gave your application.`
      return createVariableHint(variable, hint)
    },
  },
  issuer: {
    ...urlRule,
    isRequired: true,
    isValid: (issuer, provider) =>
      issuer === undefined ? !requiresIssuer(provider) : isSecureUrl(issuer, provider),
    hint: ({ id, type, issuer }) => {
      const variable = getProviderVariable(id, "ISSUER")
      const hint =
        `Set \`issuer\`, or ${variable}, to the https URL ` +
        (type === "oidc" ? "before /.well-known/openid-configuration." : "of your server.")
      if (/^http:/i.test(String(issuer))) return `${hint} ${insecureHint}`
      return issuer === undefined ? createVariableHint(variable, hint) : hint
    },
  },
  wellKnown: urlRule,
  jwks_endpoint: urlRule,
  end_session_endpoint: urlRule,
  "authorization.url": endpointRule,
  "authorization.params": {
    isValid: (params, provider) => listWrongParams(params, provider).length === 0,
    expected:
      "parameters that the library does not set, and a whole number of seconds as `max_age`",
    describe: (params, provider) => listWrongParams(params, provider).join(", "),
    hint:
      "Write a number such as 600 as `max_age`, and remove the others: `redirectProxyUrl` sets another redirect URI, " +
      "`clientId` the client, and `checks` how the sign-in is protected.",
  },
  clockTolerance: {
    isValid: (seconds) => Number(seconds) >= 0 && Number(seconds) <= 300,
    expected: "a number of seconds from 0 to 300",
    hint: "Set the clock of the server, for example with NTP. A larger difference is not safe.",
  },
  "tenants.subjectsAreGlobal": {
    isRequired: true,
    isValid: (areGlobal, { tenantClaim }) => tenantClaim === undefined || areGlobal === true,
    expected: "true",
    hint: "Accounts are identified by provider and `sub`. If tenants may share a `sub`, configure a provider for each.",
  },
  "token.url": endpointRule,
  "userinfo.url": {
    ...endpointRule,
    isValid: (url, provider, option) =>
      (url === undefined && Boolean(provider.userinfo.request)) ||
      endpointRule.isValid(url, provider, option),
  },
}

/** The values that parameters of the protocol may have: those that the library sends, and one of Azure DevOps. */
const ownParams: Readonly<Record<string, RegExp>> = {
  ...{ state: /^$/, nonce: /^$/, code_challenge: /^$/ },
  code_challenge_method: /^S256$/,
  response_type: /^(?:code|Assertion)$/,
  response_mode: /^(?:query|form_post)$/,
}

function listWrongParams(
  params: unknown,
  { type, id, clientId }: ResolvedOAuthProvider,
): readonly string[] {
  const isWrong = ([name, value]: readonly [string, string]) => {
    if (name === "max_age") return type === "oidc" && !/^\d{1,10}$/.test(value)
    // Objects of Auth.js repeat them.
    if (name === "client_id") return value !== clientId
    if (name === "redirect_uri") return !value.endsWith(`/callback/${id}`)
    return Object.hasOwn(ownParams, name) && !ownParams[name]?.test(value)
  }
  const wrong = Object.entries(Object(params) as Record<string, string>).filter(isWrong)
  return wrong.map(([name, value]) => `${name}: ${describeValue(value)}`)
}

const emailRules: FieldRules<"email"> = {
  apiKey: {
    isRequired: true,
    isValid: (apiKey, { definition }) => Boolean(apiKey) || !("apiKey" in definition),
    expected: "the key of your account at the mail service",
    hint: ({ id }) => {
      const variable = getProviderVariable(id, "KEY")
      return createVariableHint(variable, `Set \`apiKey\`, or ${variable}.`)
    },
  },
}

const authorizeRule: Rule = {
  ...functionRule,
  ErrorClass: MissingAuthorize,
  isRequired: true,
  hint: "Write `authorize: async (credentials) => user`. Return null for wrong credentials.",
}

/** The `autocomplete` of a field at which browsers offer passkeys. */
const passkeyField = /(?:^|\s)webauthn(?:\s|$)/

const passkeyRules: FieldRules<"webauthn"> = {
  simpleWebAuthn: {
    isRequired: true,
    isValid: (_, { loadWebAuthnServer }) => typeof loadWebAuthnServer === "function",
    expected: "a function that loads @simplewebauthn/server",
    hint: "Create the provider with @latchkey/core/providers/passkey or @latchkey/core/providers/webauthn.",
  },
  getRelayingParty: functionRule,
  getUserInfo: functionRule,
  formFields: {
    ErrorClass: MissingWebAuthnAutocomplete,
    isValid: (_, { conditionalUI, fields }) =>
      !conditionalUI ||
      Object.values(fields).some((field) => passkeyField.test(String(field?.autocomplete))),
    expected: 'fields of which one has `autocomplete: "username webauthn"`',
    hint: "Browsers offer passkeys at a field with this attribute. Otherwise set `enableConditionalUI: false`.",
  },
}

const rulesByType: Readonly<Record<ProviderType, FieldRules<never>>> = {
  oauth: oauthRules,
  oidc: oauthRules,
  credentials: { authorize: authorizeRule },
  webauthn: passkeyRules,
  email: emailRules,
}

/** The options that tell which hosts are the application's own. */
export type HostOptions = Pick<ResolvedConfig, "allowedHosts" | "authUrlOrigin" | "development">

/** Returns the errors of a provider, which is left out because of them. */
export function findProviderErrors(provider: ResolvedProvider, hosts: HostOptions): AuthError[] {
  const definition = "definition" in provider ? provider.definition : {}
  const fields = { ...definition, ...provider }
  // The rules of a type are for providers of that type.
  const errors = findBrokenRules(rulesByType[provider.type], fields, provider as never, provider.id)
  return [...errors, ...checkRelyingParty(provider, hosts)]
}

/** Returns an error for a relying party whose passkeys any sub-domain in a `Host` header could use. */
function checkRelyingParty(provider: ResolvedProvider, hosts: HostOptions): AuthError[] {
  if (areHostsKnown(hosts) || provider.type !== "webauthn" || provider.getRelayingParty) return []
  const { relyingParties } = provider
  const id = relyingParties.kind === "request" ? relyingParties.id : undefined
  if (id === undefined || isLoopbackHost(id)) return []
  const option = `providers.${provider.id}.relayingParty.origin`
  const expected = `\`${option}\` to be the origin of your pages, because \`relayingParty.id\` is set`
  const hint = "Set `relayingParty.origin`, or AUTH_URL, or list your hosts in `trustHost`."
  const details = { option, provider: provider.id, expected, received: "nothing", hint }
  return [new InvalidOption(details)]
}

/** A warning about a configuration. */
export interface ConfigWarning {
  readonly type: WarningCode
  readonly error: AuthError
}

/** Returns the warnings about providers that are also logged in production. */
export function findProviderWarnings(config: ResolvedConfig): ConfigWarning[] {
  const providers = [...config.providers.values()]
  const warnings = providers.flatMap((provider): ConfigWarning[] => {
    if (provider.type !== "oauth" && provider.type !== "oidc") return []
    const { id, clientSecret, clientAuthMethod, token } = provider
    const isUsed = /^client_secret_/.test(clientAuthMethod ?? "client_secret_basic")
    if (clientSecret || token.clientSecret || !isUsed) return []
    const option = `providers.${id}.clientSecret`
    const expected = `\`${option}\` to be the secret that the provider gave your application`
    const variable = getProviderVariable(id, "SECRET")
    const hint = createVariableHint(
      variable,
      `Set \`clientSecret\`, or ${variable}. ` +
        'For a public client, set `client: { token_endpoint_auth_method: "none" }`.',
    )
    const details = { option, expected, received: describeValue(clientSecret), hint }
    return [{ type: "IncompleteProvider", error: new AuthError(details) }]
  })
  if (areHostsKnown(config) || providers.every(({ type }) => type !== "email")) return warnings
  const expected =
    "AUTH_URL or a list of hosts. Without them, anybody who names a host of their own in a request can have a user " +
    "sent a genuine e-mail whose link leads there, and sign in as that user with it"
  const hint = 'Set AUTH_URL, or list your hosts: `trustHost: ["example.com"]`.'
  const error = new AuthError({ option: "trustHost", expected, received: "neither", hint })
  return [...warnings, { type: "email-link-host", error }]
}

/** Whether the hosts are known, or this is development. */
function areHostsKnown({ allowedHosts, authUrlOrigin, development }: HostOptions): boolean {
  return development || allowedHosts !== undefined || authUrlOrigin !== undefined
}

/** Describes the field of the client id, which may be misspelt, as in `clientID` or `client_id`. */
function describeClientId(clientId: unknown, { definition }: ResolvedOAuthProvider): string {
  const isMisspelling = (name: string) => name !== "clientId" && /^client[-_ ]?id$/i.test(name)
  const misspelling = Object.keys(definition).find(isMisspelling)
  return misspelling
    ? `\`${misspelling}\`, which is not an option`
    : describeValue(clientId || undefined)
}

/** Whether the provider has no endpoints of its own. */
function requiresIssuer({ type, authorization }: ResolvedOAuthProvider): boolean {
  return type === "oidc" || authorization.url?.startsWith("{issuer}") === true
}

/** Whether a URL begins with a missing or invalid issuer, which has its own error. */
function isDerivedFromInvalidIssuer(url: unknown, provider: ResolvedOAuthProvider): boolean {
  const { issuer } = provider
  const prefix = typeof issuer === "string" && issuer !== "" ? issuer : "{issuer}"
  return typeof url === "string" && url.startsWith(prefix) && !isSecureUrl(issuer, provider)
}

function isSecureUrl(url: unknown, { allowInsecure }: ResolvedOAuthProvider): boolean {
  return (
    typeof url === "string" && URL.canParse(url) && isSecureEndpoint(new URL(url), allowInsecure)
  )
}
