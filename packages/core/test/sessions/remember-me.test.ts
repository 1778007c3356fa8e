/** The choice at sign-in between a session that ends with the browser and a long one. */
import { type AuthConfig, createAuth, getSessionInfo } from "@latchkey/core"
import { createScriptedProvider, createTestBrowser, type TestBrowser } from "@latchkey/testing"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { createCodeApp, enterCode } from "../support/code-app.ts"
import { createEmailApp } from "../support/email-app.ts"
import { sessionCookieName } from "../support/forged-tokens.ts"
import { findElements } from "../support/html-parser.ts"
import { createOAuthApp } from "../support/oauth-app.ts"
import { createPasskeyApp } from "../support/passkey-app.ts"
import { createPasswordApp, createStoredPasswordApp, password } from "../support/password-app.ts"

const rememberMe = { rememberMe: true } satisfies AuthConfig["session"]

/** The kind of session that the last response began. */
function readKind(browser: TestBrowser): "long" | "temporary" | undefined {
  const line = browser.setCookieHeaders.findLast((each) => each.startsWith(`${sessionCookieName}=`))
  if (line === undefined || /=;/.test(line)) return undefined
  return /expires|max-age/i.test(line) ? "long" : "temporary"
}

const choices = [
  ["true", "long"],
  ["on", "long"],
  ["1", "long"],
  ["TRUE", "long"],
  ["false", "temporary"],
  ["off", "temporary"],
  ["0", "temporary"],
  ["", "temporary"],
  ["perhaps", "temporary"],
] as const

describe.each(["jwt", "database"] as const)(
  "the field `rememberMe` with strategy %s",
  (strategy) => {
    const createApp = (session: NonNullable<AuthConfig["session"]>) =>
      createStoredPasswordApp({ session: { strategy, ...session } })

    test.each(choices)("%o begins a session that is %s", async (value, kind) => {
      const browser = (await createApp(rememberMe)).openBrowser()
      await browser.signIn("credentials", { name: "ada", password, rememberMe: value })
      expect(readKind(browser)).toBe(kind)
      expect(await browser.getSession()).toMatchObject({ user: { name: "ada" } })
    })

    test.each([
      [true, "temporary"],
      [{ default: true }, "long"],
      [{ default: false }, "temporary"],
    ] as const)("may be absent: `rememberMe: %o` then decides", async (option, kind) => {
      const browser = await (await createApp({ rememberMe: option })).openSignedInBrowser()
      expect(readKind(browser)).toBe(kind)
    })

    test.each([undefined, false])("is ignored with `rememberMe: %s`", async (option) => {
      const app = await createApp(option === undefined ? {} : { rememberMe: option })
      const browser = app.openBrowser()
      await browser.signIn("credentials", { name: "ada", password, rememberMe: "false" })
      expect(readKind(browser)).toBe("long")
      // In the browser that was sent as true, nothing is different.
      await browser.signIn("credentials", { name: "ada", password, rememberMe: "true" })
      expect(readKind(browser)).toBe("long")
    })

    test("is part of the metadata of the session", async () => {
      const app = await createApp(rememberMe)
      const auth = createAuth(app.config)
      for (const [value, isTemporary] of [
        ["true", false],
        ["false", true],
      ] as const) {
        const browser = app.openBrowser()
        await browser.signIn("credentials", { name: "ada", password, rememberMe: value })
        const cookie = [...browser.cookies].map((each) => `${each.name}=${each.value}`).join("; ")
        const { session } = await auth.getSession({
          headers: new Headers({ cookie }),
          url: browser.origin,
        })
        expect(session && getSessionInfo(session)).toMatchObject({ isTemporary })
      }
    })
  },
)

test("the last field of the name counts, as an unchecked box sends only the one before it", async () => {
  const browser = createPasswordApp({ session: rememberMe }).openBrowser()
  const csrfToken = await browser.getCsrfToken()
  const body = new URLSearchParams({ csrfToken, name: "ada", password, rememberMe: "false" })
  body.append("rememberMe", "true")
  await browser.post("/auth/callback/credentials", body)
  expect(readKind(browser)).toBe("long")
})

test.each([
  [true, "long"],
  [false, "temporary"],
  [undefined, "temporary"],
] as const)("server code passes `rememberMe: %s` as an option of `signIn`", async (value, kind) => {
  const { config } = createPasswordApp({ session: rememberMe })
  const { cookies } = await createAuth(config).signIn(
    { headers: new Headers(), url: "https://app.example/login" },
    "credentials",
    { fields: { name: "ada", password, rememberMe: value } },
  )
  const cookie = cookies.find(({ name }) => name === sessionCookieName)
  expect(cookie?.options.expires ? "long" : "temporary").toBe(kind)
})

test.each([
  ["true", "long"],
  ["false", "temporary"],
] as const)("the choice %s survives the way to a provider and back", async (value, kind) => {
  const provider = await createScriptedProvider()
  const app = await createOAuthApp(provider.asOidc(), { session: rememberMe })
  const browser = createTestBrowser(app.app)
  await browser.signIn(provider, { rememberMe: value })
  expect(readKind(browser)).toBe(kind)
})

test("a provider cannot choose, although its response has the field", async () => {
  const provider = await createScriptedProvider()
  const authorization = { params: { response_mode: "form_post" } }
  const app = await createOAuthApp(provider.asOidc({ authorization }), { session: rememberMe })
  const browser = createTestBrowser(app.app)
  const response = provider.approve(await browser.startSignIn(provider, { rememberMe: "false" }))
  response.parameters.set("rememberMe", "true")
  await browser.open(response)
  expect(readKind(browser)).toBe("temporary")
  expect(await browser.getSession()).not.toBeNull()
})

describe.each([
  ["true", "long"],
  ["false", "temporary"],
] as const)("the choice %s at a sign-in by e-mail", (value, kind) => {
  test("is that of the browser that opens the link", async () => {
    const app = await createEmailApp({ session: { ...rememberMe } })
    const browser = app.openBrowser()
    await browser.open(await app.receiveLink(browser, undefined, { rememberMe: value }))
    expect(readKind(browser)).toBe(kind)
  })

  test("is that of the browser that enters the code", async () => {
    const app = await createCodeApp({}, { session: rememberMe })
    const browser = app.openBrowser()
    await browser.signIn("email", { email: "ada@example.com", rememberMe: value })
    await enterCode(browser, app.sent.at(-1)?.code ?? "")
    expect(readKind(browser)).toBe(kind)
  })

  test("can be another one with the code", async () => {
    const app = await createCodeApp({}, { session: rememberMe })
    const browser = app.openBrowser()
    const other = value === "true" ? "false" : "true"
    await browser.signIn("email", { email: "ada@example.com", rememberMe: other })
    await enterCode(browser, app.sent.at(-1)?.code ?? "", { rememberMe: value })
    expect(readKind(browser)).toBe(kind)
  })

  test("stays when the page requests another e-mail", async () => {
    vi.useFakeTimers({ toFake: ["Date"] })
    onTestFinished(() => void vi.useRealTimers())
    const app = await createEmailApp({ session: rememberMe })
    const browser = app.openBrowser()
    const sent = await app.requestLink(browser, "ada@example.com", { rememberMe: value })
    vi.setSystemTime(Date.now() + 60_000)
    const page = await (await browser.followRedirect(sent)).text()
    const form = findElements(page, "form").at(-1)?.attributes.get("action") ?? ""
    const csrfToken = await browser.getCsrfToken()
    await browser.post(form, { csrfToken, email: "ada@example.com", resend: "true" })
    expect(app.inbox.messages).toHaveLength(2)
    await browser.open(app.inbox.getLatestLink())
    expect(readKind(browser)).toBe(kind)
  })

  test("does not count in another browser that the link signs in", async () => {
    const session = { rememberMe: { default: value === "false" } }
    const app = await createEmailApp({ session }, { allowAnyBrowser: true })
    const link = await app.receiveLink(app.openBrowser(), undefined, { rememberMe: value })
    const other = app.openBrowser()
    await other.open(link)
    expect(readKind(other)).toBe(kind === "long" ? "temporary" : "long")
  })

  test("counts for a passkey", async () => {
    const app = await createPasskeyApp({ session: rememberMe })
    const person = app.openPasskeyBrowser()
    await person.register("ada@example.com")
    await person.browser.signOut()
    const options = await person.requestOptions({ action: "authenticate" })
    const response = await person.createResponse(options)
    await person.sendResponse("authenticate", response, { rememberMe: value })
    expect(readKind(person.browser)).toBe(kind)
  })
})
