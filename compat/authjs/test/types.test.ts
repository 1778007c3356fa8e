/**
 * Code that must compile, and code that must not. The compiler checks the assertions; running the code shows that the
 * values are accepted, too.
 */
import { customFetch, raw, skipCSRFCheck } from "@auth/core"
import type { Adapter as AuthJsAdapter } from "@auth/core/adapters"
import Apple from "@auth/core/providers/apple"
import Auth0 from "@auth/core/providers/auth0"
import Credentials from "@auth/core/providers/credentials"
import Discord from "@auth/core/providers/discord"
import GitHub from "@auth/core/providers/github"
import GitLab from "@auth/core/providers/gitlab"
import Google from "@auth/core/providers/google"
import Keycloak from "@auth/core/providers/keycloak"
import MicrosoftEntraID from "@auth/core/providers/microsoft-entra-id"
import AuthJsNodemailer from "@auth/core/providers/nodemailer"
import Slack from "@auth/core/providers/slack"
import Twitch from "@auth/core/providers/twitch"
import { type AuthConfig, createAuth, setEnvDefaults } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import { createTestBrowser } from "@latchkey/testing"
import { expect, expectTypeOf, test } from "vitest"
import { kyselySetup } from "./support/databases/kysely.ts"
import { baseConfig } from "./support/test-application.ts"

const client = { clientId: "app", clientSecret: "secret" }

test("provider objects of Auth.js are providers", async () => {
  const { adapter } = await kyselySetup.openDatabase()
  const errors: unknown[][] = []
  const config: AuthConfig = {
    ...baseConfig,
    adapter,
    session: { strategy: "jwt" },
    logger: { error: (...line) => void errors.push(line) },
    providers: [
      Google(client),
      GitHub(client),
      Discord({ ...client, [customFetch]: fetch }),
      MicrosoftEntraID(client),
      Keycloak({ ...client, issuer: "https://keycloak.example/realms/app" }),
      Auth0({ ...client, issuer: "https://app.eu.auth0.com" }),
      GitLab(client),
      Slack(client),
      Twitch(client),
      Apple(client),
      AuthJsNodemailer({ server: "smtp://localhost", from: "door@app.example" }),
      Credentials({ credentials: { name: {} }, authorize: () => null }),
    ],
  }
  const { handle } = createAuth(config)
  const response = await handle(new Request("https://app.example/auth/providers"))
  expect(Object.keys((await response.json()) as object)).toHaveLength(12)
  expect(errors).toEqual([])
})

test("provider factories of Auth.js are accepted, with values from the environment", async () => {
  const config: AuthConfig = {
    ...baseConfig,
    providers: [Google, GitHub, Discord, MicrosoftEntraID, Keycloak, GitLab, Slack, Twitch, Apple],
  }
  const variables = config.providers.flatMap((provider) => {
    const id = typeof provider === "function" ? provider({}).id : provider.id
    const prefix = `AUTH_${id.toUpperCase().replaceAll("-", "_")}`
    return [
      [`${prefix}_ID`, `id-of-${id}`],
      [`${prefix}_SECRET`, "secret"],
    ]
  })
  const keycloak = { AUTH_KEYCLOAK_ISSUER: "https://keycloak.example/realms/app" }
  setEnvDefaults({ ...Object.fromEntries(variables), ...keycloak }, config)
  const testBrowser = createTestBrowser(createAuth(config).handle)
  const url = await testBrowser.startSignIn("github")
  expect(url.searchParams.get("client_id")).toBe("id-of-github")
})

test("an adapter of Auth.js is an adapter", () => {
  expectTypeOf<AuthJsAdapter>().toExtend<Adapter>()
})

test("the symbols `raw` and `skipCSRFCheck` of Auth.js are refused", () => {
  // @ts-expect-error `raw` of Auth.js is another symbol, which would be refused
  const rawConfig: AuthConfig = { providers: [], raw }
  // @ts-expect-error `skipCSRFCheck` of Auth.js is another symbol, which would be refused
  const openConfig: AuthConfig = { providers: [], skipCSRFCheck }
  expect([rawConfig.raw, openConfig.skipCSRFCheck].map(typeOf)).toEqual(["symbol", "symbol"])
})

const typeOf = (value: unknown): string => typeof value
