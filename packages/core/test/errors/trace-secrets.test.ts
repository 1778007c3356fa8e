/** Whatever fails, a trace holds no secret: not on the page, not in the log, and not in its cookie for others. */
import type { Profile, TokenSet } from "@latchkey/core/types"
import {
  browser,
  hostileIdTokens,
  hostileResponses,
  hostileTokenAnswers,
  hostileUserinfos,
  type Misbehaviour,
  scriptedProvider,
} from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { site, siteSecret } from "../support/front-door.ts"
import { oauthApp, oauthSecret } from "../support/oauth-app.ts"
import { followed, traceOn } from "../support/trace-page.ts"

const names = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

const faults: [string, Misbehaviour][] = [
  ...names(hostileIdTokens).map((idToken): [string, Misbehaviour] => [
    `ID token ${idToken}`,
    { idToken },
  ]),
  ...names(hostileResponses).map((response): [string, Misbehaviour] => [
    `answer ${response}`,
    { response },
  ]),
  ...names(hostileTokenAnswers).map((token): [string, Misbehaviour] => [
    `tokens ${token}`,
    { token },
  ]),
  ...names(hostileUserinfos).map((userinfo): [string, Misbehaviour] => [
    `userinfo ${userinfo}`,
    { userinfo },
  ]),
]

describe.each(["oidc", "oauth"] as const)("with a provider of the type %s", (type) => {
  test.each(faults)("%s", async (_, misbehaviour) => {
    const provider = await scriptedProvider()
    const config = type === "oidc" ? provider.asOidc({ idToken: false }) : provider.asOAuth()
    const at = await oauthApp(config, { development: true })
    const alice = browser(at.app)
    alice.cookies.plant(alice.origin, "theme=the-cookie-of-the-application")
    provider.misbehave(misbehaviour)
    const begun = await alice.begin(provider)
    const answer = await alice.open(provider.approve(begun))
    const lines = traceLines(at.log())
    const isRefused = answer.headers.get("location")?.includes("error=") === true
    const html = isRefused ? await followed(alice, answer) : ""
    expect([traceOn(html) !== undefined, lines !== ""]).toEqual([isRefused, isRefused])
    const secrets = [
      ...provider.secrets,
      provider.clientSecret,
      oauthSecret,
      begun.searchParams.get("state"),
      begun.searchParams.get("nonce"),
      begun.searchParams.get("code_challenge"),
      "ada@example.com",
      "the-cookie-of-the-application",
    ].filter((secret): secret is string => Boolean(secret))
    const seen = `${html}\n${lines}`
    expect(secrets.filter((secret) => seen.includes(secret))).toEqual([])
  })
})

/** The lines of the log that hold a trace. */
function traceLines(log: string): string {
  return log
    .split("\n")
    .filter((line) => line.startsWith("[ 'trace'"))
    .join("\n")
}

/** What a careless application puts into an error. */
const planted = {
  password: "correct horse battery",
  otp: "424242",
  connection: "postgres://loam:rosebud@db.internal/loam",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
  bearer: "Bearer abcdef0123456789abcdef0123456789",
  address: "ada.lovelace@example.com",
}

describe("an application that says too much", () => {
  test("in what `authorize` throws", async () => {
    const provider = {
      id: "credentials",
      name: "Password",
      type: "credentials" as const,
      credentials: {},
      authorize(typed: Partial<Record<string, unknown>>) {
        const inner = new Error(`no user for ${planted.address} with ${typed["password"]}`)
        throw Object.assign(
          new Error(
            `${JSON.stringify(typed)} ${planted.connection} ${planted.jwt} ${planted.bearer} ` +
              `secret=${siteSecret} otp ${typed["otp"]}`,
            { cause: inner },
          ),
          { code: "E_TOO_MUCH", query: planted.connection },
        )
      },
    }
    const { visitor, log } = await site({ development: true, debug: true, providers: [provider] })
    const alice = visitor()
    const answer = await alice.signIn("credentials", {
      email: planted.address,
      password: planted.password,
      otp: planted.otp,
    })
    const html = await followed(alice, answer)
    expect(traceOn(html)?.text).toContain("E_TOO_MUCH")
    expect(traceOn(html)?.text).toContain("a…@example.com")
    const lines = JSON.stringify(log.lines.filter(([, code]) => code === "trace"))
    expect(lines).toContain("E_TOO_MUCH")
    const secrets = [
      siteSecret,
      planted.password,
      planted.otp,
      "rosebud",
      planted.jwt,
      "abcdef0123456789",
      planted.address,
      encodeURIComponent(planted.address),
    ]
    expect(secrets.filter((secret) => html.includes(secret))).toEqual([])
    expect(secrets.filter((secret) => lines.includes(secret))).toEqual([])
  })

  test("in what `profile` throws of the tokens", async () => {
    const provider = await scriptedProvider()
    const config = provider.asOidc({
      profile: (claims: Profile, tokens: TokenSet) => {
        throw new Error(`${tokens.access_token} ${tokens.id_token} ${claims.sub} ${claims.email}`)
      },
    })
    const { visitor } = await site({ development: true, providers: [config] })
    const alice = visitor()
    const html = await followed(alice, await alice.signIn(provider))
    expect(traceOn(html)?.type).toBe("OAuthProfileParseError")
    expect(provider.secrets.filter((secret) => html.includes(secret))).toEqual([])
    expect(html).not.toContain("ada@example.com")
  })

  test("with markup in it, which is text on the page", async () => {
    const callbacks = {
      signIn: () => {
        throw new Error('<img src=x onerror="alert(1)"></section>')
      },
    }
    const { visitor, provider } = await site({ development: true, callbacks })
    const alice = visitor()
    const html = await followed(alice, await alice.signIn(provider))
    expect(traceOn(html)?.text).toContain('<img src=x onerror="alert(1)">')
    expect(html).not.toContain("<img src=x")
  })
})
