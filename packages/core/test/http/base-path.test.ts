/** Where the actions are: `basePath` at the root, nested, with a slash too many (protocol 1.6). */
import { createAuth } from "@latchkey/core"
import type { PublicProvider } from "@latchkey/core/types"
import { browser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { all, one } from "../pages-markup.ts"
import { ask, bareSite, home, rightWord, site } from "../support/front-door.ts"

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
  test("is in every address, once", async () => {
    const { config, provider, links } = await site({ basePath })
    const alice = browser((request) => createAuth(config).handle(request), {
      basePath: prefix || "/",
    })

    const answer = await ask(config, `${prefix}/providers`)
    const list: Record<string, PublicProvider> = await answer.json()
    expect(list["scripted"]).toMatchObject({
      signinUrl: `${home}${prefix}/signin/scripted`,
      callbackUrl: `${home}${prefix}/callback/scripted`,
    })

    const begun = await alice.begin(provider)
    const redirectUri = `${home}${prefix}/callback/scripted`
    expect(begun.searchParams.get("redirect_uri")).toBe(redirectUri)
    await alice.open(provider.approve(begun))
    expect(await alice.session()).toMatchObject({ user: { email: "ada@example.com" } })

    const sent = await alice.signIn("email", { email: "ada@example.com" })
    const verify = `${home}${prefix}/verify-request?provider=email&type=email`
    expect(sent.headers.get("location")).toBe(verify)
    expect(links).toEqual([expect.stringMatching(/^https:\/\/app\.example\/[^?]*\/email\?/)])
    expect(new URL(links[0] ?? "").pathname).toBe(`${prefix}/callback/email`)

    const refused = await alice.signIn("credentials", { ...rightWord, word: "wrong" })
    expect(refused.headers.get("location")).toMatch(`${home}${prefix}/signin?`)
    const broken = await alice.open(`${prefix}/callback/scripted`)
    expect(broken.headers.get("location")).toBe(`${home}${prefix}/error?error=Configuration`)
  })

  test("is in the forms and links of the pages, once", async () => {
    const { config } = await site({ basePath })
    const signIn = await (await ask(config, `${prefix}/signin`)).text()
    const actions = all(signIn, "form").map(({ attributes }) => attributes.get("action"))
    expect(actions).toEqual([
      `${home}${prefix}/signin/scripted`,
      `${home}${prefix}/callback/credentials`,
      `${home}${prefix}/signin/email`,
    ])
    const signOut = await (await ask(config, `${prefix}/signout`)).text()
    expect(one(signOut, "form").attributes.get("action")).toBe(`${home}${prefix}/signout`)
    const denied = await (await ask(config, `${prefix}/error?error=AccessDenied`)).text()
    expect(one(denied, "a").attributes.get("href")).toBe(`${home}${prefix}/signin`)
  })

  test("is what the engine says it is", () => {
    expect(createAuth(bareSite({ basePath }).config).basePath).toBe(prefix || "/")
  })
})

describe("a base path", () => {
  test("is /auth unless it is written", async () => {
    const { config } = bareSite()
    expect(createAuth(config).basePath).toBe("/auth")
    expect((await ask(config, "/auth/session")).status).toBe(200)
    expect((await ask(config, "/api/auth/session")).status).toBe(400)
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
    const answer = await ask(bareSite({ basePath }).config, home + path)
    expect(answer.status).toBe(400)
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
  ])("%j is none, and nothing is served under it", async (basePath) => {
    const { config, log } = bareSite({ basePath })
    for (const path of [`${basePath}/session`, "/auth/session"]) {
      expect([400, 500]).toContain((await ask(config, path)).status)
    }
    expect(log.lines.flat()).toContainEqual(expect.stringContaining("`basePath`"))
  })
})
