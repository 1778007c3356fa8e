/** Every provider of Auth.js, as its own documentation describes it. */
import { readdirSync } from "node:fs"
import type { OAuth2Config, OIDCConfig } from "@auth/core/providers"
import type { Claims } from "@latchkey/testing"
import type { ProviderFixture } from "../../../../packages/core/test/providers/catalogue/provider-fixture.ts"
import { providerFixtures } from "../../../../packages/core/test/providers/catalogue/provider-fixtures.ts"
import { adaptations, browserResponses } from "./provider-profiles.ts"
import type { SimulatedProvider } from "./simulated-provider.ts"

// biome-ignore lint/suspicious/noExplicitAny: the profile of each is its own, as in the library's own list of providers
type AuthjsProvider = OAuth2Config<any> | OIDCConfig<any>

/** A provider of Auth.js. */
export interface AuthjsEntry {
  /** The name of its module. */
  readonly module: string
  readonly factory: (options: object) => AuthjsProvider
  /** The provider, as far as the object of Auth.js can use it. */
  readonly simulated: SimulatedProvider
  /** Our definition of it, and the provider without what only Auth.js needs. */
  readonly ours:
    | (Pick<ProviderFixture, "factory" | "accountId"> & { readonly simulated: SimulatedProvider })
    | undefined
}

const issuer = "https://provider.example"

const defaultClaims: Claims = {
  ...{ sub: "7", id: "7", username: "ada", login: "ada", name: "Ada Lovelace" },
  ...{ email: "ada@example.com", picture: "https://img.example/ada.png" },
}

/** All OAuth 2 and OpenID Connect providers of the installed version. */
export const authjsEntries: readonly AuthjsEntry[] = (
  await Promise.all(listModules().map(readEntry))
).filter((entry) => entry !== undefined)

function listModules(): string[] {
  const folder = new URL("../../node_modules/@auth/core/providers/", import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith(".js"))
  return files.map((file) => file.replace(/\.js$/, "")).sort()
}

async function readEntry(module: string): Promise<AuthjsEntry | undefined> {
  const { default: factory } = await import(`@auth/core/providers/${module}`)
  if (typeof factory !== "function") return undefined
  const options = { clientId: "us", clientSecret: "secret", issuer }
  const provider: AuthjsProvider = factory({
    ...options,
    server: "smtp://localhost",
    apiKey: "key",
  })
  if (provider.type !== "oauth" && provider.type !== "oidc") return undefined
  const fixture = providerFixtures.find(({ id }) => id === provider.id)
  const documented = fixture && describeFixture(fixture)
  const simulated = {
    ...describeProvider(provider),
    ...documented,
    ...adaptations[provider.id],
  }
  return {
    module,
    factory,
    simulated: documented
      ? { ...simulated, tokenResponse: withTokenType(simulated.tokenResponse) }
      : simulated,
    ours: fixture &&
      documented && { ...fixture, simulated: { ...documented, ...browserResponses[provider.id] } },
  }
}

/** Auth.js refuses a token response without `token_type`, which some providers leave out. */
function withTokenType(tokenResponse: SimulatedProvider["tokenResponse"]) {
  return (honest: Claims): Claims => ({
    token_type: "bearer",
    ...(tokenResponse?.(honest) ?? honest),
  })
}

function describeProvider({ id, type, ...provider }: AuthjsProvider): SimulatedProvider {
  // Few have an issuer of their own, which the required option must not override.
  const ownIssuer = provider.issuer !== issuer && provider.issuer
  return {
    id,
    options: ownIssuer ? {} : { issuer },
    ...(type === "oidc" && { issuer: ownIssuer || issuer }),
    claims: defaultClaims,
  }
}

function describeFixture(fixture: ProviderFixture): SimulatedProvider {
  const { id, options, endpoints, tokenResponse, idToken, supportsPkce } = fixture
  const { claims = {}, otherEndpoints = {}, token } = fixture.fullProfile
  return {
    id,
    ...((options ?? fixture.issuer) && { options: options ?? { issuer: fixture.issuer } }),
    ...(fixture.issuer && { issuer: fixture.issuer }),
    metadata: {
      authorization_endpoint: endpoints.authorize,
      token_endpoint: endpoints.token,
      ...(endpoints.userinfo && { userinfo_endpoint: endpoints.userinfo }),
      code_challenge_methods_supported: supportsPkce ? ["S256"] : undefined,
    },
    claims,
    responses: otherEndpoints,
    ...(idToken && { idToken }),
    tokenResponse: (honest) => ({ ...(tokenResponse?.(honest) ?? honest), ...token }),
  }
}
