/** What is wrong with the passkey providers. */
import {
  type AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidOption,
  MissingAdapter,
  MissingWebAuthnAutocomplete,
} from "../errors.ts"
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../providers/resolved-provider.ts"
import type { AuthConfig } from "./auth-config.ts"
import { describeValue } from "./option-check.ts"
import type { ResolvedConfig } from "./resolved-config.ts"

export function* findWebAuthnProblems(
  providers: readonly ResolvedProvider[],
  authConfig: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "adapter">,
): Generator<AuthError> {
  const passkeys = providers.filter((provider) => provider.type === "webauthn")
  for (const provider of passkeys) yield* findPasskeyProblems(provider, authConfig, config)
  const conditionalProviders = passkeys
    .filter(({ conditionalUI }) => conditionalUI)
    .map(({ id }) => id)
  if (conditionalProviders.length > 1) {
    yield new DuplicateConditionalUI({
      option: "providers",
      providers: conditionalProviders,
      expected: `one provider with conditional UI, not ${conditionalProviders.join(" and ")}`,
      hint: "A browser offers passkeys for one of them: set `enableConditionalUI: false` for the others.",
    })
  }
}

function* findPasskeyProblems(
  provider: ResolvedWebAuthnProvider,
  authConfig: Partial<AuthConfig>,
  config: Pick<ResolvedConfig, "adapter">,
): Generator<AuthError> {
  const { id } = provider
  if (authConfig.experimental?.enableWebAuthn !== true) {
    yield new ExperimentalFeatureNotEnabled({
      option: "experimental.enableWebAuthn",
      provider: id,
      expected: "`experimental.enableWebAuthn` to be true",
      hint: `Write \`experimental: { enableWebAuthn: true }\` for provider ${id}: it may change in any version.`,
    })
  }
  if (!config.adapter) {
    yield new MissingAdapter({
      option: "adapter",
      provider: id,
      expected: "an `adapter`",
      hint: `Passkeys (${id}) are kept in a database: set \`adapter\`.`,
    })
  }
  yield* findDefinitionProblems(provider)
  if (provider.conditionalUI && !hasAutofill(provider)) {
    yield new MissingWebAuthnAutocomplete({
      option: `providers.${id}.formFields`,
      provider: id,
      expected: `one of the \`formFields\` of provider ${id} to have \`autocomplete: "username webauthn"\``,
      hint: "Browsers offer passkeys at a field that asks for them; or set `enableConditionalUI: false`.",
    })
  }
}

const versionPattern = /^v\d{1,9}(?:\.\d{1,9}){0,2}$/

function* findDefinitionProblems({
  id,
  definition,
  loadWebAuthnServer,
}: ResolvedWebAuthnProvider): Generator<AuthError> {
  const browser = definition["simpleWebAuthnBrowserVersion"] ?? false
  if (browser !== false && !(typeof browser === "string" && versionPattern.test(browser))) {
    yield new InvalidOption({
      option: `providers.${id}.simpleWebAuthnBrowserVersion`,
      provider: id,
      expected: `\`simpleWebAuthnBrowserVersion\` of provider ${id} to be a version such as v9.0.1`,
      hint: "It has no effect any more, because the pages bring their own script: leave it out.",
    })
  }
  if (typeof loadWebAuthnServer !== "function") {
    yield new InvalidOption({
      option: `providers.${id}.simpleWebAuthn`,
      provider: id,
      expected: `provider ${id} to have \`simpleWebAuthn\``,
      hint: "Make the provider with @latchkey/core/providers/passkey or @latchkey/core/providers/webauthn.",
    })
  }
  for (const name of ["getRelayingParty", "getUserInfo"]) {
    const value = definition[name]
    if (value === undefined || typeof value === "function") continue
    yield new InvalidOption({
      option: `providers.${id}.${name}`,
      provider: id,
      expected: `\`${name}\` of provider \`${id}\` to be a function`,
      received: describeValue(value),
      hint: "Hand over the function itself, or leave it out for the default.",
    })
  }
}

function hasAutofill({ fields }: ResolvedWebAuthnProvider): boolean {
  return Object.values(fields).some((field) =>
    String(field?.autocomplete ?? "")
      .split(/\s+/)
      .includes("webauthn"),
  )
}
