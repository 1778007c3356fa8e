import discord from "@latchkey/core/providers/discord"
import github from "@latchkey/core/providers/github"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt } from "../../support/oauth-app.ts"
import type { Dialect, Person } from "./dialect.ts"
import { dialects } from "./dialects.ts"
import { stand } from "./stand.ts"

function dialectOf(id: string): Dialect {
  const found = dialects.find((dialect) => dialect.id === id)
  if (!found) throw new TypeError(`${id} has no dialect`)
  return found
}

describe("nobody comes in", () => {
  const line = "https://api.line.me/oauth2/v2.1/verify"
  const emails = "https://api.github.com/user/emails"
  const refused: [string, string, Person][] = [
    ["LINE does not confirm the ID token", "line", { also: { [line]: 400 } }],
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
      "GitHub's addresses are down",
      "github",
      { claims: { id: 1, login: "ada" }, also: { [emails]: 500 } },
    ],
    ["Kakao's id is one that JSON gives to several people", "kakao", { claims: { id: 2 ** 53 } }],
    ["Strava gives no id", "strava", { claims: { firstname: "Ada" } }],
  ]
  test.each(refused)("when %s", async (_, id, person) => {
    const { at, alice, provider, signIn } = await stand(dialectOf(id), person)
    await expectNothingCameOfIt(await signIn(), alice, at, provider)
  })
})

describe("X", () => {
  test("tells the confirmed address to an application that may ask for it", async () => {
    const userinfo = "https://api.x.com/2/users/me?user.fields=profile_image_url,confirmed_email"
    const known = dialectOf("twitter")
    const asking: Dialect = { ...known, endpoints: { ...known.endpoints, userinfo } }
    const data = { id: "1", name: "Ada", username: "ada", confirmed_email: "ada@example.com" }
    const { at, begin, approve } = await stand(asking, { claims: { data } }, { email: true })
    const begun = await begin()
    expect(begun.searchParams.get("scope")).toBe("users.read tweet.read users.email")
    await approve(begun)
    expect(at.rows("User")).toMatchObject([{ email: "ada@example.com" }])
  })
})

describe("GitHub", () => {
  test("may be a server of one's own", async () => {
    const base = "https://github.example"
    const emails = `${base}/api/v3/user/emails`
    const own: Dialect = {
      ...dialectOf("github"),
      endpoints: {
        authorize: `${base}/login/oauth/authorize`,
        token: `${base}/login/oauth/access_token`,
        userinfo: `${base}/api/v3/user`,
      },
    }
    const person = {
      claims: { id: 7, login: "ada", name: null, email: null },
      also: { [emails]: [] },
    }
    const { at, begin, approve } = await stand(own, person, { enterprise: { baseUrl: `${base}/` } })
    const begun = await begin()
    expect(begun.origin + begun.pathname).toBe(`${base}/login/oauth/authorize`)
    await approve(begun)
    expect(at.rows("Account")).toMatchObject([{ providerAccountId: "7" }])
  })

  test("leaves the addresses out where the application asks for less", async () => {
    const { authorization } = github({ authorization: { params: { scope: "read:user" } } })
    expect(authorization).toMatchObject({ params: { scope: "read:user user:email" } })
    const options = { authorization: { params: { scope: "read:user" } } }
    const { begin } = await stand(dialectOf("github"), undefined, options)
    expect((await begin()).searchParams.get("scope")).toBe("read:user")
  })
})

describe("Discord", () => {
  test("shows pictures that move", async () => {
    const mapped = await discord().profile?.(
      { id: "80351110224678912", username: "ada", avatar: "a_1269e74af4df7417b13759eae50c83dc" },
      { access_token: "t", token_type: "bearer" },
    )
    expect(mapped?.image).toBe(
      "https://cdn.discordapp.com/avatars/80351110224678912/a_1269e74af4df7417b13759eae50c83dc.gif",
    )
  })
})
