import { customFetch, raw, skipCSRFCheck } from "@auth/core"
import GitHub from "@auth/core/providers/github"
import MicrosoftEntraID from "@auth/core/providers/microsoft-entra-id"
import { Auth, type AuthConfig, createAuth } from "@latchkey/core"
import { browser, errorOf, scriptedProvider } from "@latchkey/testing"
import { afterEach, describe, expect, test, vi } from "vitest"
import { dialects } from "./support/dialects.ts"
import { type Config, common } from "./support/house.ts"
import { impersonate } from "./support/impersonation.ts"

afterEach(() => vi.unstubAllGlobals())

describe("`customFetch` of the reference library", () => {
  test("is used, in a provider object and in the options of one", async () => {
    const work = await scriptedProvider({ id: "work" })
    const written = { ...work.asOidc(), [customFetch]: work.fetch }
    const object = { id: "work", name: "Work", type: "oidc" } as const
    const { issuer, clientId, clientSecret } = work.asOptions()
    const options = { issuer, clientId, clientSecret, [customFetch]: work.fetch }
    for (const provider of [written, { ...object, options }]) {
      const config: Config = { ...common, providers: [provider] }
      const visitor = browser((request) => Auth(request, config))
      await visitor.signIn(work)
      expect((await visitor.session())?.user?.name).toBe("Ada Lovelace")
    }
  })

  test("of an application wins over the one that a provider object brings for itself", async () => {
    const asked: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(new Request(input).url)
      return new Response(null, { status: 503 })
    }
    const provider = MicrosoftEntraID({
      clientId: "app",
      clientSecret: "secret",
      [customFetch]: fetch,
    })
    const config: Config = { ...common, providers: [provider], logger: { error: () => undefined } }
    const visitor = browser((request) => Auth(request, config))
    await expect(visitor.begin("microsoft-entra-id")).rejects.toThrow("error=Configuration")
    const common_ = "https://login.microsoftonline.com/common/v2.0"
    expect(asked).toEqual([`${common_}/.well-known/openid-configuration`])
  })
})

describe("switches for authors of framework packages", () => {
  test.each([
    ["raw", { raw }],
    ["skipCSRFCheck", { skipCSRFCheck }],
  ])(
    "`%s` of the reference library is a configuration error that says where to import it",
    async (name, option) => {
      const errors: unknown[][] = []
      const logger = { error: (...line: unknown[]) => void errors.push(line) }
      // TypeScript refuses it too: see types.test.ts.
      const config = { ...common, providers: [], logger, ...option } as object as AuthConfig
      const { handle } = createAuth(config)
      const answer = await handle(new Request("https://app.example/auth/session"))
      expect(answer.status).toBe(500)
      expect(errors[0]?.[1]).toContain(`\`${name}\` to be the symbol of @latchkey/core`)
    },
  )
})

describe("Microsoft Entra ID for many tenants", () => {
  const dialect = dialects["microsoft-entra-id"]!

  async function begun() {
    const played = await impersonate("microsoft-entra-id", dialect)
    vi.stubGlobal("fetch", played.globalFetch)
    const errors: unknown[] = []
    const logger = { error: (...line: unknown[]) => void errors.push(line) }
    const config: Config = { ...common, providers: [played.provider], logger }
    const visitor = browser((request) => Auth(request, config))
    return { ...played, visitor, begun: await visitor.begin("microsoft-entra-id") }
  }

  test.each([
    ["names another tenant than its issuer", "9a4cf0a1-0000-4000-8000-000000000000"],
    ["names no tenant", undefined],
    ["names something else than a tenant", "../evil"],
  ])("refuses an ID token that %s", async (_, tid) => {
    const { scripted, visitor, begun: url, approve } = await begun()
    scripted.misbehave({ idToken: ({ claims }) => void Object.assign(claims, { tid }) })
    expect(errorOf(await visitor.open(approve(url)))).not.toBeNull()
    expect(await visitor.session()).toBeNull()
  })

  test("an issuer of one tenant is that tenant's alone", async () => {
    const { scripted, fetch, approve } = await impersonate("microsoft-entra-id", dialect)
    vi.stubGlobal("fetch", fetch)
    const { issuer, clientId, clientSecret } = scripted
    const options = { clientId, clientSecret, issuer, [customFetch]: fetch }
    const config: Config = {
      ...common,
      providers: [MicrosoftEntraID(options)],
      logger: { error: () => undefined },
    }
    const visitor = browser((request) => Auth(request, config))
    await visitor.open(approve(await visitor.begin("microsoft-entra-id")))
    expect((await visitor.session())?.user?.name).toBe("Ada Lovelace")
    scripted.misbehave({
      idToken: ({ claims }) => {
        claims["iss"] = issuer.replace("2c8a1b6e", "00000000")
      },
    })
    const other = browser((request) => Auth(request, config))
    const answer = await other.open(approve(await other.begin("microsoft-entra-id")))
    expect(errorOf(answer)).not.toBeNull()
  })
})

test("a provider of GitHub Enterprise keeps its own addresses", async () => {
  const provider = GitHub({
    clientId: "app",
    clientSecret: "secret",
    enterprise: { baseUrl: "https://git.example" },
  })
  const config: Config = { ...common, providers: [provider] }
  const visitor = browser((request) => Auth(request, config))
  const url = await visitor.begin("github")
  expect(url.origin + url.pathname).toBe("https://git.example/login/oauth/authorize")
})
