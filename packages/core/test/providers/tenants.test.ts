/** Accounts are identified by provider and `sub`, which need not be unique across issuers (OpenID Connect Core 5.7). */
import microsoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
import { expect, test } from "vitest"
import { asUntypedConfig, oidcProvider } from "../support/broken-configurations.ts"
import { createMinimalSite, sendRequest } from "../support/test-site.ts"

const common = "https://idp.example/common"
const tenants = {
  metadataIssuers: { [common]: "https://idp.example/{tenantid}" },
  tenantClaim: "tid",
}

async function createSite(provider: object) {
  const { config, log } = createMinimalSite(asUntypedConfig({ providers: [provider] }))
  const response = await sendRequest(config, "/auth/providers")
  return { ids: Object.keys(await response.json()), log }
}

test.each([undefined, false, "true", 1])(
  "an issuer of several tenants is refused if `subjectsAreGlobal` is %j",
  async (subjectsAreGlobal) => {
    const provider = { ...oidcProvider, issuer: common, tenants: { ...tenants, subjectsAreGlobal } }
    const { ids, log } = await createSite(provider)
    expect(ids).toEqual([])
    expect(log.errorCodes).toEqual(["InvalidOption"])
    expect(String(log.lines)).toContain("`providers.idp.tenants.subjectsAreGlobal` to be true")
    expect(String(log.lines)).toContain("configure a provider for each")
  },
)

test("it is accepted if the definition says that no two tenants have the same `sub`", async () => {
  const provider = {
    ...oidcProvider,
    issuer: common,
    tenants: { ...tenants, subjectsAreGlobal: true },
  }
  expect((await createSite(provider)).ids).toEqual(["idp"])
})

test("an issuer of one tenant needs no such statement", async () => {
  const provider = { ...oidcProvider, issuer: "https://idp.example/contoso", tenants }
  expect((await createSite(provider)).ids).toEqual(["idp"])
})

test("Microsoft says so", async () => {
  expect((await createSite(microsoftEntraID({ clientId: "c" }))).ids).toEqual([
    "microsoft-entra-id",
  ])
})
