/** Other options: their defaults and effects. */

import type { AuthConfig, SessionOptions } from "@latchkey/core"
import type { JWT } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { asUntypedConfig } from "../support/broken-configurations.ts"
import { findElement, readStylesheet } from "../support/html-parser.ts"
import { openSignedIn } from "../support/signed-in-page.ts"
import {
  createDatabaseAdapter,
  createMinimalSite,
  createTestSite,
  postForm,
  sendRequest,
  type TestSiteConfig,
  validCredentials,
} from "../support/test-site.ts"

const sessionCookie = "__Secure-authjs.session-token"
const day = 86_400_000

/** Signs in and returns when the session cookie expires, and whether it contains an encrypted token. */
async function signInAndReadCookie(changes: Partial<TestSiteConfig>) {
  const { openBrowser, provider } = await createTestSite(changes)
  const alice = openBrowser()
  await alice.signIn(provider)
  const cookie = alice.cookies.get(sessionCookie)
  return { days: ((cookie?.expires ?? 0) - Date.now()) / day, sealed: cookie?.value.includes(".") }
}

describe("session", () => {
  test.each<[string, Partial<SessionOptions>, boolean]>([
    ["is stored in the database by default with an adapter", {}, false],
    ["is stored in the database with strategy database", { strategy: "database" }, false],
    ["is stored in the cookie with strategy jwt", { strategy: "jwt" }, true],
  ])("%s", async (_, option, sealed) => {
    expect(await signInAndReadCookie({ session: option })).toMatchObject({ sealed })
  })

  test("is stored in the cookie by default without an adapter", async () => {
    const alice = createMinimalSite().openBrowser()
    await alice.signIn("credentials", validCredentials)
    expect(alice.cookies.get(sessionCookie)?.value).toMatch(/^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test.each(["jwt", "database"] as const)("lasts 30 days with strategy %s", async (strategy) => {
    expect((await signInAndReadCookie({ session: { strategy } })).days).toBeCloseTo(30, 2)
  })

  test.each(["jwt", "database"] as const)("lasts `maxAge` with strategy %s", async (strategy) => {
    expect(
      (await signInAndReadCookie({ session: { strategy, maxAge: 7 * 86_400 } })).days,
    ).toBeCloseTo(7, 2)
  })

  test("has its defaults for undefined values", async () => {
    const option = { strategy: undefined, maxAge: undefined, updateAge: undefined }
    const { days, sealed } = await signInAndReadCookie({
      session: option as unknown as SessionOptions,
    })
    expect([Math.round(days), sealed]).toEqual([30, false])
  })
})

describe("callbacks", () => {
  test("replace their defaults one by one", async () => {
    const jwt = ({ token }: { token: JWT }) => ({ ...token, role: "reader" })
    const { openBrowser } = createMinimalSite({ callbacks: { jwt } })
    const alice = openBrowser()
    await alice.signIn("credentials", validCredentials)
    const shown = await alice.getSession()
    expect(shown).toEqual({
      user: { name: "Ada" },
      expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
  })

  test("determine the session that the client sees", async () => {
    const callbacks: AuthConfig["callbacks"] = {
      jwt: ({ token, trigger }) => (trigger === "signIn" ? { ...token, role: "reader" } : token),
      session: ({ session, token }) => ({ ...session, role: token["role"] }),
    }
    const alice = createMinimalSite({ callbacks }).openBrowser()
    await alice.signIn("credentials", validCredentials)
    expect(await alice.getSession()).toMatchObject({ user: { name: "Ada" }, role: "reader" })
  })
})

describe("events", () => {
  test("are called for each event, and are optional", async () => {
    const reported: string[] = []
    const { openBrowser, provider } = await createTestSite({
      session: { strategy: "database" },
      events: {
        createUser: ({ user }) => void reported.push(`created ${user.email}`),
        linkAccount: ({ account }) => void reported.push(`linked ${account.provider}`),
        signIn: ({ isNewUser }) => void reported.push(`signed in, new: ${isNewUser}`),
        signOut: () => void reported.push("signed out"),
      },
    })
    const alice = openBrowser()
    await alice.signIn(provider)
    await alice.getSession()
    await alice.signOut()
    expect(reported).toEqual([
      "created ada@example.com",
      "linked scripted",
      "signed in, new: true",
      "signed out",
    ])
  })
})

describe("theme", () => {
  const theme = {
    colorScheme: "dark",
    brandColor: "#8a2be2",
    logo: "https://cdn.example/logo.png",
  } as const

  test.each(["signin", "signout", "error", "verify-request"])(
    "applies to the page %s",
    async (action) => {
      const open = async (changes: Partial<TestSiteConfig>) =>
        (await openSignedIn(createMinimalSite(changes).config, `/auth/${action}`)).text()
      const plain = await open({})
      const themed = await open({ theme })
      expect(readStylesheet(themed)).not.toBe(readStylesheet(plain))
      expect(readStylesheet(themed)).not.toContain("prefers-color-scheme")
      expect(findElement(themed, "img", { class: "logo" }).attributes.get("src")).toBe(theme.logo)
    },
  )

  test("applies to the error page of an invalid configuration", async () => {
    const page = await (
      await sendRequest(createMinimalSite({ theme, secret: "" }).config, "/auth/signin")
    ).text()
    expect(findElement(page, "img", { class: "logo" }).attributes.get("src")).toBe(theme.logo)
  })
})

describe("skipCSRFCheck", () => {
  test.each([true, 1, "skipCSRFCheck"])(
    "has no effect with %s instead of the symbol",
    async (value) => {
      const changes = asUntypedConfig({ skipCSRFCheck: value })
      const response = await postForm(createMinimalSite(changes).config, "/auth/signout")
      expect(response.headers.get("location")).toMatch("error=MissingCSRF")
    },
  )

  test.each([Symbol("latchkey.skipCSRFCheck"), Symbol.for("latchkey.skipCSRFCheck")])(
    "refuses every request with the foreign symbol %s",
    async (value) => {
      const changes = asUntypedConfig({ skipCSRFCheck: value })
      expect((await postForm(createMinimalSite(changes).config, "/auth/signout")).status).toBe(500)
    },
  )
})

describe("providers", () => {
  test("can be empty", async () => {
    const { config } = createMinimalSite({ providers: [] })
    expect(await (await sendRequest(config, "/auth/providers")).json()).toEqual({})
    expect((await sendRequest(config, "/auth/signin")).status).toBe(200)
  })

  test("can be functions", async () => {
    const { config, provider } = await createTestSite()
    const providers = [() => provider.asOidc()]
    const alice = createMinimalSite({
      ...config,
      providers,
      adapter: await createDatabaseAdapter(),
    }).openBrowser()
    await alice.signIn(provider)
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })
  })
})
