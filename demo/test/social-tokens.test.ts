import { createHash } from "node:crypto"
import { describe, expect, test } from "vitest"
import { createTokenStore } from "../social/tokens.ts"
import { createUserStore } from "../social/users.ts"

const client = {
  id: "loam",
  secret: "a secret",
  name: "Loam",
  redirectUri: "http://localhost:3000/auth/callback/socialidp",
  homeUrl: "http://localhost:3000",
}
const verifier = "a-verifier-of-the-application-that-is-long-enough"
const challenge = createHash("sha256").update(verifier).digest("base64url")
const basicAuthorization = createBasicAuthorization("loam:a+%73ecret")
const [person] = createUserStore().listed

function createBasicAuthorization(pair: string): string {
  return `Basic ${Buffer.from(pair).toString("base64")}`
}

function createTokenRequest() {
  const tokens = createTokenStore(client)
  const code = tokens.issueCode({ state: "", scope: "login:info", challenge }, person!)
  const form = (changes: Record<string, string> = {}) =>
    new URLSearchParams({
      grant_type: "authorization_code",
      code,
      redirect_uri: client.redirectUri,
      code_verifier: verifier,
      ...changes,
    })
  return { tokens, form }
}

describe("the social provider's token endpoint", () => {
  test("exchanges a code for an access token of the same user", () => {
    const { tokens, form } = createTokenRequest()
    const { status, body } = tokens.exchange(basicAuthorization, form())
    expect(status).toBe(200)
    expect(tokens.findUser(`Bearer ${body["access_token"]}`)).toBe(person)
  })

  test("accepts a code only once", () => {
    const { tokens, form } = createTokenRequest()
    tokens.exchange(basicAuthorization, form())
    expect(tokens.exchange(basicAuthorization, form())).toEqual({
      status: 400,
      body: { error: "invalid_grant" },
    })
  })

  test.each([
    ["another verifier", { code_verifier: "another" }],
    ["another address", { redirect_uri: "http://localhost:3000/" }],
    ["another code", { code: "another" }],
  ])("refuses %s", (_what, changes) => {
    const { tokens, form } = createTokenRequest()
    expect(tokens.exchange(basicAuthorization, form(changes)).body).toEqual({
      error: "invalid_grant",
    })
  })

  test.each([
    ["nobody", undefined],
    ["another secret", createBasicAuthorization("loam:another")],
    ["another name", createBasicAuthorization("other:a+secret")],
    ["a secret with an ampersand", createBasicAuthorization("loam:x&secret=a+secret")],
    ["another scheme", "Bearer a+secret"],
  ])("refuses a client: %s", (_what, authorization) => {
    const { tokens, form } = createTokenRequest()
    expect(tokens.exchange(authorization, form())).toEqual({
      status: 401,
      body: { error: "invalid_client" },
    })
  })
})
