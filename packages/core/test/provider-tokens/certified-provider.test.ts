import { createAuth } from "@latchkey/core"
import { createTestBrowser, withFrozenTime } from "@latchkey/testing"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type CertifiedProvider, certifiedProvider } from "../support/certified-provider.ts"
import { createOAuthApp } from "../support/oauth-app.ts"

const home = "https://app.example"

let certified: CertifiedProvider
beforeAll(async () => {
  certified = await certifiedProvider(`${home}/auth/callback/certified`)
})
afterAll(() => certified[Symbol.asyncDispose]())

test("a certified provider refreshes encrypted tokens for many calls at once, and accepts the result", async () => {
  const { issuer, clientId, clientSecret } = certified
  const params = { scope: "openid profile email offline_access", prompt: "consent" }
  const app = await createOAuthApp(
    {
      id: "certified",
      name: "Certified",
      type: "oidc",
      issuer,
      clientId,
      clientSecret,
      idToken: false,
      authorization: { params },
    },
    { encryptTokens: true },
  )
  const ada = createTestBrowser(app.app)
  await ada.open(await certified.approve(await ada.startSignIn("certified")))
  const userId = String(app.readRows("Account")[0]?.["userId"])
  const auth = createAuth(app.config)
  const accessTokens = new Set<string>()
  for (const hours of [0, 1.1, 2.2]) {
    const tokens = await withFrozenTime(Date.now() + hours * 3_600_000, () =>
      Promise.all(Array.from({ length: 10 }, () => auth.getAccessToken({ userId }, "certified"))),
    )
    for (const { accessToken } of tokens) accessTokens.add(accessToken)
  }
  expect(accessTokens.size).toBe(3)
  const [latest] = [...accessTokens].slice(-1)
  const headers = { authorization: `Bearer ${latest}` }
  expect(await (await fetch(`${issuer}/me`, { headers })).json()).toMatchObject({ sub: "ada" })
})
