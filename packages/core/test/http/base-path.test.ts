/** Where the actions are: `basePath` at the root, nested, with a slash too many (protocol 1.6). */
import { createAuth } from "@latchkey/core"
import type { PublicProvider } from "@latchkey/core/types"
import { createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findElement, findElements } from "../support/html-parser.ts"
import {
  createMinimalSite,
  createTestSite,
  sendRequest,
  siteOrigin,
  validCredentials,
} from "../support/test-site.ts"

describe.each([
  ["/", ""],
  ["/auth", "/auth"],
  ["/auth/", "/auth"],
  ["/auth///", "/auth"],
  ["/api/auth", "/api/auth"],
  ["/de-AT/konto/anmeldung", "/de-AT/konto/anmeldung"],
  ["/a.b+c(d)*", "/a.b+c(d)*"],
  ["/%C3%BCber/auth", "/%C3%BCber/auth"],
])("basePath %s", (basePath, prefix) => {
  test("is in every URL, once", async () => {
    const { config, provider, links } = await createTestSite({ basePath })
    const openBrowser = () =>
      createTestBrowser((request) => createAuth(config).handle(request), {
        basePath: prefix || "/",
      })
    const [alice, bob] = [openBrowser(), openBrowser()]

    const response = await sendRequest(config, `${prefix}/providers`)
    const list: Record<string, PublicProvider> = await response.json()
    expect(list["scripted"]).toMatchObject({
      signinUrl: `${siteOrigin}${prefix}/signin/scripted`,
      callbackUrl: `${siteOrigin}${prefix}/callback/scripted`,
    })

    const authorizationUrl = await alice.startSignIn(provider)
    const redirectUri = `${siteOrigin}${prefix}/callback/scripted`
    expect(authorizationUrl.searchParams.get("redirect_uri")).toBe(redirectUri)
    await alice.open(provider.approve(authorizationUrl))
    expect(await alice.getSession()).toMatchObject({ user: { email: "ada@example.com" } })

    const sent = await alice.signIn("email", { email: "ada@example.com" })
    const verify = `${siteOrigin}${prefix}/verify-request?provider=email&type=email`
    expect(sent.headers.get("location")).toBe(verify)
    expect(links).toEqual([expect.stringMatching(/^https:\/\/app\.example\/[^?]*\/email\?/)])
    expect(new URL(links[0] ?? "").pathname).toBe(`${prefix}/callback/email`)

    const refused = await alice.signIn("credentials", { ...validCredentials, word: "wrong" })
    expect(refused.headers.get("location")).toMatch(`${siteOrigin}${prefix}/signin?`)
    const expired = await bob.open(`${prefix}/callback/scripted`)
    const query = "error=Configuration&reason=expired&provider=scripted"
    expect(expired.headers.get("location")).toBe(`${siteOrigin}${prefix}/error?${query}`)
  })

  test("is in the forms and links of the pages, once", async () => {
    const { config } = await createTestSite({ basePath })
    const signIn = await (await sendRequest(config, `${prefix}/signin`)).text()
    const actions = findElements(signIn, "form").map(({ attributes }) => attributes.get("action"))
    expect(actions).toEqual([
      `${siteOrigin}${prefix}/signin/scripted`,
      `${siteOrigin}${prefix}/callback/credentials`,
      `${siteOrigin}${prefix}/signin/email`,
    ])
    const alice = createTestBrowser((request) => createAuth(config).handle(request), {
      basePath: prefix || "/",
    })
    await alice.signIn("credentials", validCredentials)
    const signOut = await (await alice.open(`${prefix}/signout`)).text()
    expect(findElement(signOut, "form").attributes.get("action")).toBe(
      `${siteOrigin}${prefix}/signout`,
    )
    const denied = await (await sendRequest(config, `${prefix}/error?error=AccessDenied`)).text()
    expect(findElement(denied, "a", { class: "button main" }).attributes.get("href")).toBe(
      `${siteOrigin}${prefix}/signin`,
    )
  })

  test("is that of the engine", () => {
    expect(createAuth(createMinimalSite({ basePath }).config).basePath).toBe(prefix || "/")
  })
})

describe("a base path", () => {
  test("is /auth by default", async () => {
    const { config } = createMinimalSite()
    expect(createAuth(config).basePath).toBe("/auth")
    expect((await sendRequest(config, "/auth/session")).status).toBe(200)
    expect((await sendRequest(config, "/api/auth/session")).status).toBe(400)
  })

  test.each([
    ["/api/auth", "/auth/session"],
    ["/api/auth", "/api/authsession"],
    ["/api/auth", "/api/auth2/session"],
    ["/api/auth", "/v1/api/auth/session"],
    ["/a.b", "/axb/session"],
    ["/(x|auth)", "/auth/session"],
    ["/auth", "/auth%2Fsession"],
    ["/auth", "//auth/session"],
  ])("%s is literal: %s is not under it", async (basePath, path) => {
    const response = await sendRequest(createMinimalSite({ basePath }).config, siteOrigin + path)
    expect(response.status).toBe(400)
  })

  test.each([
    "auth",
    "//auth",
    "/a//b",
    "/a b",
    "/a?b",
    "/a#b",
    "https://app.example/auth",
    "/a\n",
  ])("%j is invalid, and nothing is served under it", async (basePath) => {
    const { config, log } = createMinimalSite({ basePath })
    for (const path of [`${basePath}/session`, "/auth/session"]) {
      expect([400, 500]).toContain((await sendRequest(config, path)).status)
    }
    expect(log.lines.flat()).toContainEqual(expect.stringContaining("`basePath`"))
  })
})
