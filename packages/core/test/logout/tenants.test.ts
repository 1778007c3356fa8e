/** Logout by a provider that several tenants share. Each has its own issuer, and may have its own keys. */
import type { IdTokenModifier } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createLogoutApp, type LogoutApp, logoutOrigin, logoutPath } from "../support/logout-app.ts"

const host = "https://idp.example"
const contoso = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
const fabrikam = "ffff0000-1111-2222-3333-444455556666"
const issuerOf = (tenant: string) => `${host}/${tenant}/v2.0`
const template = issuerOf("{tenantid}")

/** An application whose provider accepts all tenants, and signs as Contoso. */
async function createTenantApp(keyIssuer?: string): Promise<LogoutApp> {
  const common = issuerOf("common")
  const app = await createLogoutApp(
    {},
    {
      issuer: common,
      wellKnown: `${issuerOf(contoso)}/.well-known/openid-configuration`,
      tenants: {
        metadataIssuers: { [common]: template },
        tenantClaim: "tid",
        subjectsAreGlobal: true,
      },
      frontChannelLogout: true,
    },
    { issuer: issuerOf(contoso) },
  )
  app.provider.injectFaults({
    discovery: (honest) => ({
      ...honest,
      issuer: template,
      authorization_response_iss_parameter_supported: undefined,
    }),
    jwks: ({ keys }) => ({
      keys: (keys as object[]).map((key) => ({ ...key, ...(keyIssuer && { issuer: keyIssuer }) })),
    }),
    // Providers with tenants do not name one here.
    response: (parameters) => parameters.delete("iss"),
    idToken: ({ claims }) => void Object.assign(claims, { tid: contoso }),
  })
  await app.signIn("s1")
  return app
}

const withClaims =
  (changes: object): IdTokenModifier =>
  ({ claims }) =>
    void Object.assign(claims, changes)

describe("a logout token of a tenant", () => {
  test.each<[string, string | undefined, IdTokenModifier]>([
    ["a key of all tenants", template, () => undefined],
    ["a key of its tenant", issuerOf(contoso), () => undefined],
    ["a key without issuer", undefined, () => undefined],
    ["the claim of the tenant", template, withClaims({ tid: contoso })],
  ])("is accepted with %s", async (_, keyIssuer, modify) => {
    const app = await createTenantApp(keyIssuer)
    const token = await app.provider.createLogoutToken({ sid: "s1" }, modify)
    expect((await app.sendLogoutToken(token)).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test.each<[string, object]>([
    ["the template as issuer", { iss: template }],
    ["a path as tenant", { iss: issuerOf(`${contoso}/x`) }],
    ["another host", { iss: issuerOf(contoso).replace(host, "https://evil.example") }],
    ["a claim of another tenant", { tid: fabrikam }],
    ["no issuer", { iss: undefined }],
  ])("is refused with %s", async (_, claims) => {
    const app = await createTenantApp(template)
    const token = await app.provider.createLogoutToken({ sid: "s1" }, withClaims(claims))
    expect((await app.sendLogoutToken(token)).status).toBe(400)
    expect(await app.countSessions()).toBe(1)
  })

  test("is refused with the key of another tenant", async () => {
    const app = await createTenantApp(issuerOf(contoso))
    const claims = { iss: issuerOf(fabrikam) }
    const token = await app.provider.createLogoutToken({ sid: "s1" }, withClaims(claims))
    expect((await app.sendLogoutToken(token)).status).toBe(400)
    expect(await app.countSessions()).toBe(1)
  })
})

describe("a frame of a tenant", () => {
  const loadFrame = (app: LogoutApp, iss: string) => {
    const query = new URLSearchParams({ iss, sid: "s1" })
    return app.app(new Request(`${logoutOrigin}${logoutPath}?${query}`))
  }

  test("ends the sessions", async () => {
    const app = await createTenantApp()
    expect((await loadFrame(app, issuerOf(contoso))).status).toBe(200)
    expect(await app.countSessions()).toBe(0)
  })

  test.each([template, issuerOf("common"), `${issuerOf(contoso)}/`])(
    "is refused for %s",
    async (issuer) => {
      const app = await createTenantApp()
      expect((await loadFrame(app, issuer)).status).toBe(400)
      expect(await app.countSessions()).toBe(1)
    },
  )
})
