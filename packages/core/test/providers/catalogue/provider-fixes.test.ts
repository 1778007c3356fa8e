import discord from "@latchkey/core/providers/discord"
import github from "@latchkey/core/providers/github"
import { describe, expect, test } from "vitest"
import { expectSignInRefused } from "../../support/oauth-app.ts"
import { createProviderApp } from "./provider-app.ts"
import type { ProviderFixture, ProviderProfile } from "./provider-fixture.ts"
import { providerFixtures } from "./provider-fixtures.ts"

function findFixture(id: string): ProviderFixture {
  const found = providerFixtures.find((fixture) => fixture.id === id)
  if (!found) throw new TypeError(`${id} has no fixture`)
  return found
}

describe("the sign-in is refused", () => {
  const emails = "https://api.github.com/user/emails"
  const refused: [string, string, ProviderProfile][] = [
    [
      "Notion's token belongs to a workspace",
      "notion",
      { token: { owner: { type: "workspace" } } },
    ],
    ["Notion names no owner", "notion", { token: { owner: null } }],
    [
      "TikTok answers with an error",
      "tiktok",
      { claims: { error: { code: "scope_not_authorized" } } },
    ],
    ["Naver answers with an error", "naver", { claims: { resultcode: "024", message: "failed" } }],
    ["X answers with an error", "twitter", { claims: { errors: [{ title: "Forbidden" }] } }],
    [
      "GitHub's addresses are unavailable",
      "github",
      { claims: { id: 1, login: "ada" }, otherEndpoints: { [emails]: 500 } },
    ],
    ["Kakao's id is not a safe integer", "kakao", { claims: { id: 2 ** 53 } }],
    ["Strava returns no id", "strava", { claims: { firstname: "Ada" } }],
  ]
  test.each(refused)("if %s", async (_, id, person) => {
    const { app, alice, provider, signIn } = await createProviderApp(findFixture(id), person)
    await expectSignInRefused(await signIn(), alice, app, provider)
  })
})

describe("X", () => {
  test("returns the confirmed address to an application that may request it", async () => {
    const userinfo = "https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email"
    const known = findFixture("twitter")
    const asking: ProviderFixture = { ...known, endpoints: { ...known.endpoints, userinfo } }
    const data = { id: "1", name: "Ada", username: "ada", confirmed_email: "ada@example.com" }
    const { app, beginSignIn, approve } = await createProviderApp(
      asking,
      { claims: { data } },
      { email: true },
    )
    const authorizationUrl = await beginSignIn()
    expect(authorizationUrl.searchParams.get("scope")).toBe(
      "users.read tweet.read offline.access users.email",
    )
    await approve(authorizationUrl)
    expect(app.readRows("User")).toMatchObject([{ email: "ada@example.com" }])
  })
})

describe("GitHub", () => {
  test("can be an enterprise server", async () => {
    const base = "https://github.example"
    const emails = `${base}/api/v3/user/emails`
    const own: ProviderFixture = {
      ...findFixture("github"),
      endpoints: {
        authorize: `${base}/login/oauth/authorize`,
        token: `${base}/login/oauth/access_token`,
        userinfo: `${base}/api/v3/user`,
      },
    }
    const person = {
      claims: { id: 7, login: "ada", name: null, email: null },
      otherEndpoints: { [emails]: [] },
    }
    const { app, beginSignIn, approve } = await createProviderApp(own, person, {
      enterprise: { baseUrl: `${base}/` },
    })
    const authorizationUrl = await beginSignIn()
    expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(
      `${base}/login/oauth/authorize`,
    )
    await approve(authorizationUrl)
    expect(app.readRows("Account")).toMatchObject([{ providerAccountId: "7" }])
  })

  test("returns no addresses if the application requests less", async () => {
    const { authorization } = github({ authorization: { params: { scope: "read:user" } } })
    expect(authorization).toMatchObject({ params: { scope: "read:user user:email" } })
    const options = { authorization: { params: { scope: "read:user" } } }
    const { beginSignIn } = await createProviderApp(findFixture("github"), undefined, options)
    expect((await beginSignIn()).searchParams.get("scope")).toBe("read:user")
  })
})

describe("Discord", () => {
  test("returns animated pictures", async () => {
    const mapped = await discord().profile?.(
      {
        id: "80351110224678912",
        username: "ada",
        global_name: null,
        avatar: "a_1269e74af4df7417b13759eae50c83dc",
        locale: "en",
        email: null,
        verified: false,
      },
      { access_token: "t", token_type: "bearer" },
    )
    expect(mapped?.image).toBe(
      "https://cdn.discordapp.com/avatars/80351110224678912/a_1269e74af4df7417b13759eae50c83dc.gif",
    )
  })
})

describe("GitLab", () => {
  test.each(["https://git.example/lab", "https://git.example/lab/"])(
    "at %s is asked only there",
    async (baseUrl) => {
      const known = findFixture("gitlab")
      const moved = Object.entries(known.endpoints).map(([name, url]) => [
        name,
        url.replace("https://gitlab.com", "https://git.example/lab"),
      ])
      const endpoints = Object.fromEntries(moved)
      const ours: ProviderFixture = { ...known, issuer: "https://git.example/lab", endpoints }
      const { app, alice, calledUrls, signIn } = await createProviderApp(ours, undefined, {
        baseUrl,
      })
      expect((await signIn()).headers.get("location"), app.readLog()).toBe("https://app.example")
      expect(await alice.getSession()).toMatchObject({ user: { name: "Ada Lovelace" } })
      expect(calledUrls.filter((url) => url.includes("gitlab.com"))).toEqual([])
    },
  )
})
