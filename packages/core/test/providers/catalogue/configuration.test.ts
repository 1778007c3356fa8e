import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { setEnvDefaults } from "@latchkey/core"
import type { OAuthConfig, OIDCConfig, Provider } from "@latchkey/core/providers"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { checkEach } from "../../support/check-each.ts"
import { createOAuthApp } from "../../support/oauth-app.ts"
import type { ProviderFixture } from "./provider-fixture.ts"
import { providerFixtures } from "./provider-fixtures.ts"

const root = fileURLToPath(new URL("../../../../../", import.meta.url))

const rows = providerFixtures.map((fixture) => [fixture.id, fixture] as const)

describe("each provider of the catalogue", () => {
  test("is refused without a client id", () =>
    checkEach(rows, async ({ id, factory, options }) => {
      const app = await createOAuthApp(factory({ ...options }))
      expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
      expect(app.readLog()).toMatch(
        new RegExp(`MissingClientId.*\`providers.${id}.clientId\` to be the id`),
      )
      expect(app.readLog()).not.toContain("undefined/")
    }))

  test("can be configured by the environment alone", () =>
    checkEach(rows, ({ id, factory, options, endpoints }) => {
      const variable = id.toUpperCase().replaceAll("-", "_")
      const env = {
        [`AUTH_${variable}_ID`]: "from-the-environment",
        [`AUTH_${variable}_SECRET`]: "secret-of-the-environment",
        [`AUTH_${variable}_ISSUER`]: options?.issuer,
      }
      const providers: Provider[] = [factory]
      setEnvDefaults(env, { providers })
      const config = { providers }
      setEnvDefaults(env, config)
      const [provider] = config.providers
      expect(provider).toMatchObject({ id, options: { clientId: "from-the-environment" } })
      expect(endpoints.authorize).toMatch(/^https:/)
    }))

  test("keeps the options of the application", () =>
    checkEach(rows, ({ factory, options }) => {
      const account = () => ({})
      const written = factory({ clientId: "us", ...options, ...{ name: "Ours", account } })
      expect((written as OAuthConfig).options).toMatchObject({ name: "Ours", account })
    }))
})

describe("a provider with an issuer for each customer", () => {
  const needy = providerFixtures.filter(requiresIssuer).map(({ id }) => id)

  test.each(needy)("is refused without its issuer: %s", async (id) => {
    const found = providerFixtures.find((fixture) => fixture.id === id)
    const app = await createOAuthApp(
      found?.factory({ clientId: "us", clientSecret: "secret" }) as Provider,
    )
    expect(await (await createTestBrowser(app.app).open("/auth/providers")).json()).toEqual({})
    expect(app.readLog()).toMatch(
      new RegExp(`InvalidEndpoints.*\`providers.${id}.issuer\` to be an https URL`),
    )
  })

  test("is the only kind whose fixture needs one", () => {
    const configured = providerFixtures.filter(({ options }) => options !== undefined)
    expect(configured.map(({ id }) => id).sort()).toEqual([...needy, "microsoft-entra-id"].sort())
  })
})

/** Whether the definition has neither an issuer nor endpoints of its own. */
function requiresIssuer({ factory }: ProviderFixture): boolean {
  const { type, issuer, authorization } = factory({ clientId: "us" }) as Partial<OIDCConfig>
  const hasTemplate = JSON.stringify(authorization ?? "").includes("{issuer}")
  return issuer === undefined && (type === "oidc" || hasTemplate)
}

test("entries, re-exports and documentation match the catalogue", async () => {
  const command = ["scripts/providers.ts", "--check"]
  const run = promisify(execFile)(process.execPath, command, { cwd: root })
  const { stdout } = await run.catch((error) => error)
  expect(stdout).toContain(`providers: ${providerFixtures.length} in the catalogue`)
  expect(stdout).not.toContain("✗")
})
