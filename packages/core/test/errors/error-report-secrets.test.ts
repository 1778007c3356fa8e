/**
 * Whatever fails, an error report contains no secret: not on the page, not in the log, and not in its cookie for
 * others.
 */
import type { Profile, TokenSet } from "@latchkey/core/types"
import {
  createScriptedProvider,
  createTestBrowser,
  hostileAuthorizationResponses,
  hostileIdTokens,
  hostileTokenResponses,
  hostileUserinfoResponses,
  type ProviderFaults,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { checkEach } from "../support/check-each.ts"
import { followRefusal, readErrorReport } from "../support/error-report-page.ts"
import { createOAuthApp, oauthSecret } from "../support/oauth-app.ts"
import { createTestSite, testSiteSecret } from "../support/test-site.ts"

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

const faults: [string, ProviderFaults][] = [
  ...keysOf(hostileIdTokens).map((idToken): [string, ProviderFaults] => [
    `ID token ${idToken}`,
    { idToken },
  ]),
  ...keysOf(hostileAuthorizationResponses).map((response): [string, ProviderFaults] => [
    `answer ${response}`,
    { response },
  ]),
  ...keysOf(hostileTokenResponses).map((token): [string, ProviderFaults] => [
    `tokens ${token}`,
    { token },
  ]),
  ...keysOf(hostileUserinfoResponses).map((userinfo): [string, ProviderFaults] => [
    `userinfo ${userinfo}`,
    { userinfo },
  ]),
]

test.each(["oidc", "oauth"] as const)("of each fault of a provider of the type %s", (type) =>
  checkEach(faults, async (misbehaviour) => {
    const provider = await createScriptedProvider()
    const config = type === "oidc" ? provider.asOidc({ idToken: false }) : provider.asOAuth()
    const app = await createOAuthApp(config, { development: true })
    const alice = createTestBrowser(app.app)
    alice.cookies.setUnchecked(alice.origin, "theme=the-cookie-of-the-application")
    provider.injectFaults(misbehaviour)
    const authorizationUrl = await alice.startSignIn(provider)
    const response = await alice.open(provider.approve(authorizationUrl))
    const lines = findReportLines(app.readLog())
    const isRefused = response.headers.get("location")?.includes("error=") === true
    const html = isRefused ? await followRefusal(alice, response) : ""
    expect([readErrorReport(html) !== undefined, lines !== ""]).toEqual([isRefused, isRefused])
    const secrets = [
      ...provider.secrets,
      provider.clientSecret,
      oauthSecret,
      authorizationUrl.searchParams.get("state"),
      authorizationUrl.searchParams.get("nonce"),
      authorizationUrl.searchParams.get("code_challenge"),
      "ada@example.com",
      "the-cookie-of-the-application",
    ].filter((secret): secret is string => Boolean(secret))
    const seen = `${html}\n${lines}`
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([])
  }),
)

/** The lines of the log that contain an error report. */
function findReportLines(log: string): string {
  return log
    .split("\n")
    .filter((line) => line.startsWith("[ 'error-report'"))
    .join("\n")
}

/** What a careless application includes in an error. */
const plantedSecrets = {
  password: "correct horse battery",
  otp: "424242",
  connection: "postgres://loam:rosebud@db.internal/loam",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
  bearer: "Bearer abcdef0123456789abcdef0123456789",
  address: "ada.lovelace@example.com",
}

describe("an application that includes secrets", () => {
  test("in the error that `authorize` throws", async () => {
    const provider = {
      id: "credentials",
      name: "Password",
      type: "credentials" as const,
      credentials: {},
      authorize(typed: Partial<Record<string, unknown>>) {
        const inner = new Error(`no user for ${plantedSecrets.address} with ${typed["password"]}`)
        throw Object.assign(
          new Error(
            `${JSON.stringify(typed)} ${plantedSecrets.connection} ${plantedSecrets.jwt} ${plantedSecrets.bearer} ` +
              `secret=${testSiteSecret} otp ${typed["otp"]}`,
            { cause: inner },
          ),
          { code: "E_TOO_MUCH", query: plantedSecrets.connection },
        )
      },
    }
    const { openBrowser, log } = await createTestSite({
      development: true,
      debug: true,
      providers: [provider],
    })
    const alice = openBrowser()
    const response = await alice.signIn("credentials", {
      email: plantedSecrets.address,
      password: plantedSecrets.password,
      otp: plantedSecrets.otp,
    })
    const html = await followRefusal(alice, response)
    expect(readErrorReport(html)?.text).toContain("E_TOO_MUCH")
    expect(readErrorReport(html)?.text).toContain("a…@example.com")
    const lines = JSON.stringify(log.lines.filter(([, code]) => code === "error-report"))
    expect(lines).toContain("E_TOO_MUCH")
    const secrets = [
      testSiteSecret,
      plantedSecrets.password,
      plantedSecrets.otp,
      "rosebud",
      plantedSecrets.jwt,
      "abcdef0123456789",
      plantedSecrets.address,
      encodeURIComponent(plantedSecrets.address),
    ]
    expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
    expect(secrets.filter((secret) => lines.includes(secret))).toEqual([])
  })

  test("in the error that `profile` throws", async () => {
    const provider = await createScriptedProvider()
    const config = provider.asOidc({
      profile: (claims: Profile, tokens: TokenSet) => {
        throw new Error(`${tokens.access_token} ${tokens.id_token} ${claims.sub} ${claims.email}`)
      },
    })
    const { openBrowser } = await createTestSite({ development: true, providers: [config] })
    const alice = openBrowser()
    const html = await followRefusal(alice, await alice.signIn(provider))
    expect(readErrorReport(html)?.type).toBe("OAuthProfileParseError")
    expect(provider.secrets.filter((secret) => html.includes(secret))).toEqual([])
    expect(html).not.toContain("ada@example.com")
  })

  test("in a response with many other values, which do not displace the configured secrets", async () => {
    const provider = await createScriptedProvider()
    const config = provider.asOAuth({
      profile: () => {
        throw new Error(`The secret is: ${testSiteSecret}`)
      },
    })
    const { openBrowser } = await createTestSite({ development: true, providers: [config] })
    const alice = openBrowser()
    const comeback = provider.approve(await alice.startSignIn(provider))
    for (let index = 0; index < 120; index++)
      comeback.parameters.set(`extra${index}`, `value ${index}`)
    const html = await followRefusal(alice, await alice.open(comeback))
    expect(readErrorReport(html)?.type).toBe("OAuthProfileParseError")
    expect(html).not.toContain(testSiteSecret)
  })

  test("in markup, which is shown as text", async () => {
    const callbacks = {
      signIn: () => {
        throw new Error('<img src=x onerror="alert(1)"></section>')
      },
    }
    const { openBrowser, provider } = await createTestSite({ development: true, callbacks })
    const alice = openBrowser()
    const html = await followRefusal(alice, await alice.signIn(provider))
    expect(readErrorReport(html)?.text).toContain('<img src=x onerror="alert(1)">')
    expect(html).not.toContain("<img src=x")
  })
})
