import { customFetch } from "@latchkey/core"
import socialidp, {
  avatarSizes,
  avatarUrl,
  type SocialIdpOptions,
} from "@latchkey/core/providers/socialidp"
import { browser, scriptedProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { expectNothingCameOfIt, oauthApp } from "../support/oauth-app.ts"

const real = {
  authorize: "https://oauth.yandex.ru/authorize",
  token: "https://oauth.yandex.ru/token",
  userinfo: "https://login.yandex.ru/info?format=json",
}

/** The provider as it is, its three addresses played by the scripted one. */
async function setting(options: SocialIdpOptions = {}) {
  const provider = await scriptedProvider({ id: "socialidp", dialect: "social" })
  const { clientId, clientSecret, endpoints } = provider
  const called: string[] = []
  const stand: typeof fetch = (input, init) => {
    called.push(String(input))
    const to = String(input) === real.userinfo ? endpoints.userinfo : endpoints.token
    return provider.fetch(to, init)
  }
  const at = await oauthApp(socialidp({ clientId, clientSecret, [customFetch]: stand, ...options }))
  const alice = browser(at.app)
  const signIn = async () => {
    const begun = await alice.begin("socialidp")
    expect(begun.origin + begun.pathname).toBe(real.authorize)
    return alice.open(provider.approve(`${endpoints.authorize}${begun.search}`))
  }
  return { provider, at, alice, called, signIn }
}

type Person = Record<string, unknown>

/** The user and account that a person becomes. */
async function userOf(person: Person, options: SocialIdpOptions = {}) {
  const { provider, at, signIn } = await setting(options)
  provider.misbehave({
    userinfo: ({ id, login, client_id, psuid }) => ({ id, login, client_id, psuid, ...person }),
  })
  const answer = await signIn()
  expect(answer.headers.get("location")).toBe("https://app.example")
  return { user: at.rows("User")[0], account: at.rows("Account")[0] }
}

describe("the social provider", () => {
  test("signs a person in at its own addresses", async () => {
    const { signIn, called, alice, provider } = await setting()
    const answer = await signIn()
    expect(answer.headers.get("location")).toBe("https://app.example")
    expect(called).toEqual([real.token, real.userinfo])
    expect(await alice.session()).toMatchObject({
      user: { name: "Ada Lovelace", email: "ada@example.com" },
    })
    const [asked] = provider.authorizationRequests
    expect(asked?.get("scope")).toBe("login:info login:email login:avatar")
    expect(asked?.get("code_challenge_method")).toBe("S256")
    expect(asked?.has("nonce")).toBe(false)
    expect(provider.tokenRequests[0]?.clientAuth).toBe("client_secret_basic")
  })

  test("signs a person in where the application says its addresses are", async () => {
    const provider = await scriptedProvider({ id: "socialidp", dialect: "social" })
    const { authorize: authorization, token, userinfo } = provider.endpoints
    const { issuer: _, ...client } = provider.asOptions()
    const at = await oauthApp(socialidp({ ...client, authorization, token, userinfo }))
    const answer = await browser(at.app).signIn(provider)
    expect(answer.headers.get("location")).toBe("https://app.example")
    expect(at.rows("Account")).toMatchObject([
      { provider: "socialidp", type: "oauth", providerAccountId: "ada" },
    ])
  })

  test("77 lets nobody in without an id", async () => {
    const { provider, at, alice, signIn } = await setting()
    provider.misbehave({ userinfo: "id-missing" })
    await expectNothingCameOfIt(await signIn(), alice, at, provider)
  })
})

describe("the social provider's profile", () => {
  const names: [Person, string | null][] = [
    [{ display_name: "ada", real_name: "Ada Lovelace", first_name: "Ada" }, "ada"],
    [{ real_name: "Ада Лавлейс", first_name: "Ada" }, "Ада Лавлейс"],
    [{ first_name: "Ada" }, "Ada"],
    [{}, null],
  ]
  test.each(names)("names %j: %s", async (person, name) => {
    expect((await userOf(person)).user).toMatchObject({ name })
  })

  const addresses: [Person, string | null][] = [
    [{ default_email: "Ada@Example.com", emails: ["other@example.com"] }, "ada@example.com"],
    [{ emails: ["first@example.com", "second@example.com"] }, "first@example.com"],
    [{ emails: [] }, null],
    [{}, null],
  ]
  test.each(addresses)("reaches %j at %s", async (person, email) => {
    expect((await userOf(person)).user).toMatchObject({ email })
  })

  const avatar = (suffix: string) => `https://avatars.yandex.net/get-yapic/131652443/${suffix}`

  test("shows the picture of a person who has one, largest by default", async () => {
    const { user } = await userOf({ default_avatar_id: "131652443", is_avatar_empty: false })
    expect(user).toMatchObject({ image: avatar("islands-200") })
  })

  test.each(Object.keys(avatarSizes) as (keyof typeof avatarSizes)[])(
    "shows the picture in the size that was asked for: %s",
    async (avatarSize) => {
      const person = { default_avatar_id: "131652443" }
      expect((await userOf(person, { avatarSize })).user).toMatchObject({
        image: avatar(avatarSize),
      })
      expect(avatarUrl(person, avatarSize)).toBe(avatar(avatarSize))
    },
  )

  test("knows the sizes of the specification", () => {
    expect(avatarSizes).toEqual({
      "islands-small": 28,
      "islands-34": 34,
      "islands-middle": 42,
      "islands-50": 50,
      "islands-retina-small": 56,
      "islands-68": 68,
      "islands-75": 75,
      "islands-retina-middle": 84,
      "islands-retina-50": 100,
      "islands-200": 200,
    })
  })

  const faceless: Person[] = [
    {},
    { default_avatar_id: "" },
    { default_avatar_id: "131652443", is_avatar_empty: true },
  ]
  test.each(faceless)("shows no picture for %j", async (person) => {
    expect((await userOf(person)).user).toMatchObject({ image: null })
  })

  test("may be mapped by the application instead", async () => {
    const { user, account } = await userOf(
      { sex: "female" },
      { profile: ({ psuid, sex }) => ({ id: psuid, name: `${sex}` }) },
    )
    expect(user).toMatchObject({ name: "female" })
    expect(account).toMatchObject({ providerAccountId: "1.AAc.latchkey-client.ada" })
  })
})
