/** The checks of providers. */
import { describeValue } from "../errors/describe-value.ts"
import {
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidEndpoints,
  InvalidOption,
  MissingAdapter,
  MissingAuthorize,
  MissingWebAuthnAutocomplete,
} from "../errors.ts"
import { assertSecureUrl } from "../http/provider-fetch.ts"
import type {
  ResolvedOAuthProvider,
  ResolvedProvider,
  ResolvedWebAuthnProvider,
} from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { type ConfigCheck, catchError, check } from "./check.ts"
import { getProviderVariable } from "./environment.ts"

export function checkProvider(
  provider: ResolvedProvider,
  authConfig: Partial<AuthConfig>,
): ConfigCheck {
  const { id, type } = provider
  switch (type) {
    case "oauth":
    case "oidc":
      return checkOAuthProvider(provider)
    case "webauthn":
      return checkPasskeyProvider(provider, authConfig)
    case "email":
      return check(Boolean(authConfig.adapter), MissingAdapter, {
        option: "adapter",
        provider: id,
        expected: "an `adapter`",
        received: "nothing",
        hint: `E-mail sign-in (${id}) stores its tokens in a database: set \`adapter\`.`,
      })
    case "credentials":
      return check(typeof provider.authorize === "function", MissingAuthorize, {
        ...locate(id, "authorize"),
        expected: `provider ${id} to have \`authorize\``,
        received: describeValue(provider.authorize),
        hint: "Write `authorize: async (credentials) => user`. Return null for wrong credentials.",
      })
  }
}

function locate(id: string, field: string) {
  return { option: `providers.${id}.${field}`, provider: id }
}

function checkOAuthProvider(provider: ResolvedOAuthProvider): ConfigCheck {
  const { id, type, issuer, clientId, wellKnown, authorization, token, userinfo } = provider
  const missingEndpoint = Object.entries({ authorization, token, userinfo }).find(
    ([name, { url }]) => !issuer && !url && !(name === "userinfo" && userinfo.request),
  )?.[0]
  const urls = {
    issuer,
    wellKnown,
    jwks_endpoint: provider.jwksUri,
    authorization: authorization.url,
    token: token.url,
    userinfo: userinfo.url,
  }
  return [
    ...check(Boolean(clientId), InvalidEndpoints, {
      ...locate(id, "clientId"),
      expected: `provider ${id} to have a \`clientId\``,
      received: describeClientId(provider),
      hint: `Set \`clientId\`, or ${getProviderVariable(id, "ID")}, to the value that the provider gave your application.`,
    }),
    ...check(type === "oauth" || Boolean(issuer), InvalidEndpoints, {
      ...locate(id, "issuer"),
      expected: `provider ${id} to have an \`issuer\``,
      received: describeValue(issuer || undefined),
      hint: `Set \`issuer\`, or ${getProviderVariable(id, "ISSUER")}: the URL before /.well-known/openid-configuration.`,
    }),
    ...check(type === "oidc" || !missingEndpoint, InvalidEndpoints, {
      ...locate(id, String(missingEndpoint)),
      expected: `provider ${id} to have an \`issuer\`, or a URL for \`${missingEndpoint}\``,
      received: "neither",
      hint: `Set the https URL of its ${missingEndpoint} endpoint. The provider's documentation has it.`,
    }),
    ...Object.entries(urls).flatMap(([name, url]) => checkUrl(provider, name, url)),
  ]
}

function checkUrl(provider: ResolvedOAuthProvider, name: string, url: unknown): ConfigCheck {
  const { id, issuer } = provider
  // An invalid or missing issuer is reported once, and not again for each URL derived from it.
  const base = typeof issuer === "string" && issuer !== "" ? issuer : "{issuer}"
  const isDerived = typeof url === "string" && url.startsWith(base)
  const isChecked =
    url !== undefined && (name === "issuer" || !isDerived || !findUrlError(provider, issuer))
  const cause = isChecked ? findUrlError(provider, url) : undefined
  return check(cause === undefined, InvalidEndpoints, {
    ...locate(id, name),
    expected: `\`${name}\` of provider ${id} to be an https URL`,
    received: describeValue(url),
    hint: "Use https, because codes and tokens are sent there. Only loopback addresses may use http.",
    cause,
  })
}

function findUrlError({ allowInsecure }: ResolvedOAuthProvider, url: unknown): unknown {
  return catchError(() => {
    if (typeof url !== "string") throw new TypeError("It is not a string")
    assertSecureUrl(new URL(url), allowInsecure)
  })
}

/** Describes the field of the client id, which may be misspelt, as in `clientID` or `client_id`. */
function describeClientId({ clientId, definition }: ResolvedOAuthProvider): string {
  const isMisspelling = (name: string) => name !== "clientId" && /^client[-_ ]?id$/i.test(name)
  const misspelling = Object.keys(definition).find(isMisspelling)
  return misspelling
    ? `\`${misspelling}\`, which is not an option`
    : describeValue(clientId || null)
}

function checkPasskeyProvider(
  provider: ResolvedWebAuthnProvider,
  { adapter, experimental }: Partial<AuthConfig>,
): ConfigCheck {
  const { id, conditionalUI, loadWebAuthnServer, getRelayingParty, getUserInfo } = provider
  return [
    ...check(experimental?.enableWebAuthn === true, ExperimentalFeatureNotEnabled, {
      option: "experimental.enableWebAuthn",
      provider: id,
      expected: "`experimental.enableWebAuthn` to be true",
      hint: `Write \`experimental: { enableWebAuthn: true }\` to use provider ${id}. It may change in any version.`,
    }),
    ...check(Boolean(adapter), MissingAdapter, {
      option: "adapter",
      provider: id,
      expected: "an `adapter`",
      hint: `Passkeys (${id}) are stored in a database: set \`adapter\`.`,
    }),
    ...check(typeof loadWebAuthnServer === "function", InvalidOption, {
      ...locate(id, "simpleWebAuthn"),
      expected: `provider ${id} to have \`simpleWebAuthn\``,
      hint: "Create the provider with @latchkey/core/providers/passkey or @latchkey/core/providers/webauthn.",
    }),
    ...Object.entries({ getRelayingParty, getUserInfo }).flatMap(([name, hook]) =>
      check(hook === undefined || typeof hook === "function", InvalidOption, {
        ...locate(id, name),
        expected: `\`${name}\` of provider \`${id}\` to be a function`,
        received: describeValue(hook),
        hint: "Pass the function itself, or omit it to use the default.",
      }),
    ),
    ...check(!conditionalUI || hasAutofill(provider), MissingWebAuthnAutocomplete, {
      ...locate(id, "formFields"),
      expected: `one of the \`formFields\` of provider ${id} to have \`autocomplete: "username webauthn"\``,
      hint: "Browsers offer passkeys at a field with this attribute. Otherwise set `enableConditionalUI: false`.",
    }),
  ]
}

function hasAutofill({ fields }: ResolvedWebAuthnProvider): boolean {
  return Object.values(fields).some((field) =>
    String(field?.autocomplete ?? "")
      .split(/\s+/)
      .includes("webauthn"),
  )
}

/** Checks the passkey providers together. */
export function checkPasskeyProviders(providers: readonly ResolvedProvider[]): ConfigCheck {
  const ids = providers
    .filter((provider) => provider.type === "webauthn" && provider.conditionalUI)
    .map(({ id }) => id)
  return check(ids.length <= 1, DuplicateConditionalUI, {
    option: "providers",
    providers: ids,
    expected: `one provider with conditional UI, not ${ids.join(" and ")}`,
    hint: "A browser offers passkeys for one of them: set `enableConditionalUI: false` for the others.",
  })
}
