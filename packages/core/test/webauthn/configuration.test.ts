/** What a configuration with passkeys needs, and the errors when something is missing. */
import type { Adapter } from "@latchkey/core/adapters"
import type { WebAuthnConfig, WebAuthnUserConfig } from "@latchkey/core/providers"
import passkey from "@latchkey/core/providers/passkey"
import webauthn from "@latchkey/core/providers/webauthn"
import { describe, expect, test } from "vitest"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createTestApp, type TestAppConfig } from "../support/test-app.ts"
import { createTestDatabase } from "../support/test-database.ts"

/** Requests a session: configuration errors appear in the log only. */
async function readConfigProblems(changes: Partial<TestAppConfig>) {
  const { adapter } = await createTestDatabase()
  const app = createTestApp({
    adapter,
    providers: [passkey()],
    experimental: { enableWebAuthn: true },
    ...changes,
  })
  const response = await app.handle(new Request("https://app.example/auth/session"))
  const lines = app.log.lines.filter(({ level }) => level === "error")
  return {
    status: response.status,
    text: app.log.toText(),
    codes: [...new Set(lines.map(({ code }) => code))],
  }
}

const asUntypedConfig = (options: object) => options as WebAuthnUserConfig

describe("experimental.enableWebAuthn", () => {
  test.each([undefined, {}, { enableWebAuthn: false }])(
    "is off by default: %j",
    async (experimental) => {
      const changes = experimental === undefined ? {} : { experimental }
      const { adapter } = await createTestDatabase()
      const app = createTestApp({ adapter, providers: [passkey()], ...changes })
      for (const [method, path] of [
        ["GET", "webauthn-options/passkey"],
        ["POST", "callback/passkey"],
        ["GET", "session"],
      ] as const) {
        const response = await app.handle(
          new Request(`https://app.example/auth/${path}`, { method }),
        )
        expect(response.status).toBe(500)
      }
      expect(new Set(app.log.errorCodes())).toEqual(new Set(["ExperimentalFeatureNotEnabled"]))
      expect(app.log.toText()).toContain("experimental.enableWebAuthn")
    },
  )

  test("logs one warning when on, and enables the provider", async () => {
    const { log, openPasskeyBrowser } = await createPasskeyApp()
    expect((await openPasskeyBrowser().requestOptions()).status).toBe(200)
    await openPasskeyBrowser().requestOptions()
    const warnings = log.lines.filter(({ level }) => level === "warn").map(({ code }) => code)
    expect(warnings).toEqual(["experimental-webauthn"])
  })
})

describe("a configuration", () => {
  test("with one passkey provider is valid", async () => {
    expect(await readConfigProblems({})).toMatchObject({ status: 200, codes: [] })
    expect(await readConfigProblems({ providers: [webauthn()] })).toMatchObject({
      status: 200,
      codes: [],
    })
  })

  test("without an adapter is refused", async () => {
    const app = createTestApp({ providers: [passkey()], experimental: { enableWebAuthn: true } })
    await app.handle(new Request("https://app.example/auth/session"))
    expect(app.log.errorCodes()).toContain("MissingAdapter")
    expect(app.log.toText()).toContain("Passkeys (passkey) are stored in a database")
  })

  test.each([
    "createUser",
    "getUser",
    "getUserByEmail",
    "getUserByAccount",
    "linkAccount",
    "getAccount",
    "getAuthenticator",
    "createAuthenticator",
    "listAuthenticatorsByUserId",
    "updateAuthenticatorCounter",
  ] as (keyof Adapter)[])("whose adapter lacks %s is refused", async (method) => {
    const { adapter } = await createTestDatabase()
    const { [method]: _, ...rest } = adapter
    const { codes, text } = await readConfigProblems({
      adapter: rest,
      session: { strategy: "jwt" },
    })
    expect(codes).toEqual(["MissingAdapterMethods"])
    expect(text).toContain(method)
  })

  test("with two providers with conditional UI is refused", async () => {
    const { codes, text } = await readConfigProblems({ providers: [passkey(), webauthn()] })
    expect(codes).toEqual(["DuplicateConditionalUI"])
    expect(text).toContain("passkey and webauthn")
    const one = [passkey(), webauthn({ enableConditionalUI: false })]
    expect(await readConfigProblems({ providers: one })).toMatchObject({ codes: [] })
  })

  const rules: [string, WebAuthnUserConfig, string, string][] = [
    [
      "no field for autofill",
      { formFields: { email: { autocomplete: "username" } } },
      "MissingWebAuthnAutocomplete",
      "username webauthn",
    ],
    ["no field at all", { formFields: {} }, "MissingWebAuthnAutocomplete", "formFields"],
    ["no package", asUntypedConfig({ simpleWebAuthn: null }), "InvalidOption", "simpleWebAuthn"],
    ["no function", asUntypedConfig({ getUserInfo: "email" }), "InvalidOption", "getUserInfo"],
    [
      "a relying party of another host",
      { relayingParty: { id: "other.example", origin: "https://app.example" } },
      "InvalidProvider",
      "relayingParty.id",
    ],
    [
      "a relying party whose name has the same beginning",
      { relayingParty: { id: "p.example", origin: "https://app.example" } },
      "InvalidProvider",
      "relayingParty.id",
    ],
    [
      "an invalid origin",
      { relayingParty: { id: "app.example", origin: "app.example" } },
      "InvalidProvider",
      "relayingParty.origin",
    ],
    [
      "lists of different lengths",
      {
        relayingParty: {
          id: ["a.example", "b.example"],
          origin: ["https://a.example", "https://b.example", "https://c.example"],
        },
      },
      "InvalidProvider",
      "same number of entries",
    ],
    [
      "a list of ids without origins",
      { relayingParty: { id: ["a.example", "b.example"] } },
      "InvalidProvider",
      "relayingParty",
    ],
  ]

  test.each(rules)("with %s refuses its provider only", async (_, options, code, named) => {
    const { status, codes, text } = await readConfigProblems({ providers: [passkey(options)] })
    expect([status, codes]).toEqual([200, [code]])
    expect(text).toContain(named)
  })

  test.each(["v9.0.1", "v9.0", "v9", "9.0.1", false] as const)(
    "accepts the Auth.js option simpleWebAuthnBrowserVersion: %j without a problem",
    async (version) => {
      const providers = [passkey({ simpleWebAuthnBrowserVersion: version })]
      expect(await readConfigProblems({ providers })).toMatchObject({ status: 200, codes: [] })
    },
  )
})

describe("the package that verifies passkeys", () => {
  const missing = () => Promise.reject(new Error("Cannot find package '@simplewebauthn/server'"))

  test("is reported at the start if it is not installed, and not to users with other sign-ins", async () => {
    const { log, openPasskeyBrowser, handle } = await createPasskeyApp(
      {},
      { simpleWebAuthn: missing },
    )
    await handle(new Request("https://app.example/auth/session"))
    await expect.poll(() => log.toText()).toContain("npm install @simplewebauthn/server")
    expect(log.errorCodes()).toEqual(["InvalidProvider"])
    const response = await openPasskeyBrowser().browser.fetch("/auth/webauthn-options/passkey")
    expect(response.headers.get("location")).toBe(
      "https://app.example/auth/error?error=Configuration",
    )
  })

  test("is not loaded for an invalid configuration", async () => {
    let loaded = 0
    const { simpleWebAuthn } = passkey()
    const load = () => {
      loaded += 1
      return (
        simpleWebAuthn as () => ReturnType<Extract<WebAuthnConfig["simpleWebAuthn"], () => unknown>>
      )()
    }
    await readConfigProblems({ providers: [passkey({ simpleWebAuthn: load })], experimental: {} })
    expect(loaded).toBe(0)
    await readConfigProblems({ providers: [passkey({ simpleWebAuthn: load })] })
    expect(loaded).toBe(1)
  })

  test("can be passed as a module", async () => {
    const { openPasskeyBrowser } = await createPasskeyApp(
      {},
      { simpleWebAuthn: await import("@simplewebauthn/server") },
    )
    const ada = openPasskeyBrowser()
    await ada.register("ada@example.com")
    expect(await ada.readName()).toBe("ada")
  })
})

describe("the provider functions", () => {
  test("`webauthn` prefers discoverable passkeys and user verification", async () => {
    const { openPasskeyBrowser } = await createPasskeyApp({
      providers: [webauthn({ id: "passkey", name: "Key" })],
    })
    const made = await openPasskeyBrowser().requestOptions({
      action: "register",
      email: "ada@example.com",
    })
    expect(made.options?.authenticatorSelection).toMatchObject({
      residentKey: "preferred",
      userVerification: "preferred",
    })
    expect(
      (await openPasskeyBrowser().requestOptions({ action: "authenticate" })).options
        ?.userVerification,
    ).toBe("preferred")
  })

  test("`passkey` keeps the options of the application", () => {
    const made = passkey({ id: "key", name: "Key", registrationOptions: { timeout: 1000 } })
    expect(made).toMatchObject({
      id: "key",
      name: "Key",
      type: "webauthn",
      registrationOptions: {
        timeout: 1000,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
      },
    })
  })

  test("both omit undefined options, such as those from missing environment variables", () => {
    expect(passkey({ name: undefined, id: undefined })).toMatchObject({
      id: "passkey",
      name: "Passkey",
    })
    expect(webauthn({ name: undefined })).toMatchObject({ id: "webauthn", name: "WebAuthn" })
  })
})
