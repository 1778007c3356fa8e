/** Redaction replaces values. Our own sentences stay as they are, even if their words are somebody's secrets. */
import { findConfigProblems } from "@latchkey/cli/config-problems"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import * as errorClasses from "../../src/errors/error-classes.ts"
import { createTextRedactor } from "../../src/logging/redact-text.ts"
import { followRefusal, readErrorReport } from "../support/error-report-page.ts"
import { createMemoryLog } from "../support/memory-log.ts"
import { createOAuthApp } from "../support/oauth-app.ts"
import { createTestApp } from "../support/test-app.ts"
import { createTestSite, passwordProvider, testSiteSecret } from "../support/test-site.ts"

const marker = "[redacted]"

/** Returns the log without stacks and codes, which are no sentences. */
const toText = (lines: unknown) =>
  JSON.stringify(lines, (name, value) => (["stack", "code"].includes(name) ? undefined : value))

/** Signs in with a password and returns the error report and the log. */
async function signInWithPassword(
  password: string,
  authorize: (word: string) => unknown = () => null,
) {
  const provider = credentials({
    credentials: { word: { type: "password" } },
    authorize: ({ word }) => authorize(String(word)) as null,
  })
  const { openBrowser, log } = await createTestSite({ development: true, providers: [provider] })
  const alice = openBrowser()
  const html = await followRefusal(alice, await alice.signIn("credentials", { word: password }))
  return { report: readErrorReport(html)?.text ?? "", log: toText(log.lines) }
}

describe("a sentence of the library stays whole", () => {
  test.each(["secret", "characters", "AUTH_SECRET", "WeakSecret", "nobody"])(
    "if `secret` is %s",
    async (secret) => {
      const problems = await findConfigProblems({
        providers: [passwordProvider()],
        trustHost: true,
        secret,
      })
      expect(problems).toMatchObject([
        {
          option: "secret",
          expected: "`secret` to have at least 32 characters that nobody can guess",
          received: `${secret.length} characters`,
          hint: "Replace it by the output of `npx @latchkey/cli secret`.",
        },
      ])
      const app = createTestApp({ providers: [passwordProvider()], secret, development: true })
      const page = await app.openBrowser().open("/auth/signin")
      expect(app.log.toText()).toContain("Expected `secret` to have at least 32 characters")
      expect(readErrorReport(await page.text())?.text).toContain("to have at least 32 characters")
      expect(toText(app.log.lines)).not.toContain(marker)
    },
  )

  test.each(["wrong", "credentials", "authorize", "CredentialsSignin", "Request", "nobody"])(
    "if a wrong password is %s",
    async (password) => {
      const { report, log } = await signInWithPassword(password)
      expect(report).toContain("The credentials are wrong, or authorize did not find the user.")
      expect(report).toContain("Request received POST /auth/callback/credentials at https://")
      expect(report + log).not.toContain(marker)
    },
  )

  test.each(["provider", "scripted", "responded", "OAuthCallbackError", "GET /auth/callback"])(
    "if a client secret is %s",
    async (clientSecret) => {
      const provider = await createScriptedProvider()
      const { logger, lines } = createMemoryLog()
      const config = { ...provider.asOidc(), clientSecret }
      const app = await createOAuthApp(config, { logger, debug: false, development: true })
      const alice = createTestBrowser(app.app)
      const refusal = { error: "invalid_scope", error_description: `the secret is ${clientSecret}` }
      const response = await alice.open(provider.deny(await alice.startSignIn(provider), refusal))
      const report = readErrorReport(await followRefusal(alice, response))?.text ?? ""
      const sentence = `The provider responded with "invalid_scope: the secret is ${marker}".`
      expect(report).toContain(sentence)
      expect(lines).toMatchObject([
        ["error", "OAuthCallbackError", sentence, { hint: expect.any(String) }],
      ])
      expect(JSON.stringify(lines)).toContain('"provider":"scripted"')
    },
  )

  test("if the browser has used the provider before, whose id is in the URL", async () => {
    const { openBrowser, provider } = await createTestSite({ development: true })
    const alice = openBrowser()
    await alice.signIn(provider)
    const refusal = await alice.open(provider.deny(await alice.startSignIn(provider)))
    const report = readErrorReport(await followRefusal(alice, refusal))
    expect(report?.steps.get("Request")).toContain(`GET /auth/callback/${provider.id} at`)
  })

  test("if it has an address as an example", async () => {
    const { openBrowser } = await createTestSite({ development: true })
    const alice = openBrowser()
    const html = await followRefusal(alice, await alice.signIn("email", { email: "no address" }))
    expect(readErrorReport(html)?.text).toContain("one e-mail address, such as ann@example.com")
  })

  test("if it is a warning", async () => {
    const app = createTestApp({
      providers: [{ ...(await createScriptedProvider()).asOidc(), clientSecret: "option" }],
      development: true,
      ...{ sesion: {} },
    })
    await app.openBrowser().open("/auth/signin")
    expect(JSON.stringify(app.log.lines)).toContain("Expected an option of the library.")
  })

  const hints = Object.values(errorClasses).map(({ hint }) => hint)
  test.each(hints.filter(Boolean))("in the hint: %s", (hint) => {
    const { redactSentence } = createTextRedactor(["none", "authorize", "example.com"])
    expect(redactSentence(hint)).toBe(hint)
  })
})

describe("a secret is replaced", () => {
  test.each<[string, (password: string) => Error]>([
    ["of an application", (word) => new Error(`nobody has ${word}`)],
    ["with the application's text", (word) => new CredentialsSignin(`nobody has ${word}`)],
    ["with a cause", (word) => new CredentialsSignin(`${word}!`, { cause: new Error(word) })],
    ["with a hint", (word) => new CredentialsSignin("no", { hint: `${word}?`, provider: word })],
    ["with quoted details", (word) => new CredentialsSignin({ received: `"so \\"${word}"` })],
  ])("in the message of an error %s", async (_, createError) => {
    const { report, log } = await signInWithPassword("rosebud", (word) => {
      throw createError(word)
    })
    expect(report + log).toContain(marker)
    expect(report + log).not.toContain("rosebud")
  })

  test("in what a provider function throws", async () => {
    const broken = () => {
      throw new Error(`no "${testSiteSecret}" here`)
    }
    const problems = await findConfigProblems({
      providers: [broken as never],
      trustHost: true,
      secret: testSiteSecret,
    })
    expect(problems[0]?.received).toContain(marker)
    expect(JSON.stringify(problems)).not.toContain(testSiteSecret)
  })
})
