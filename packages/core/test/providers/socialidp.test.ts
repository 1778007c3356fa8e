import { customFetch } from "@latchkey/core"
import socialidp, {
  avatarSizes,
  getAvatarUrl,
  type SocialIdpOptions,
} from "@latchkey/core/providers/socialidp"
import { createScriptedProvider, createTestBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { createOAuthApp, expectSignInRefused } from "../support/oauth-app.ts"

const realEndpoints = {
  authorize: "https://oauth.yandex.ru/authorize",
  token: "https://oauth.yandex.ru/token",
  userinfo: "https://login.yandex.ru/info?format=json",
}

/** The provider, with its three endpoints served by the scripted provider. */
async function createSetup(options: SocialIdpOptions = {}) {
  const provider = await createScriptedProvider({ id: "socialidp", dialect: "social" })
  const { clientId, clientSecret, endpoints } = provider
  const called: string[] = []
  const providerFetch: typeof fetch = (input, init) => {
    called.push(String(input))
    const to = String(input) === realEndpoints.userinfo ? endpoints.userinfo : endpoints.token
    return provider.fetch(to, init)
  }
  const app = await createOAuthApp(
    socialidp({ clientId, clientSecret, [customFetch]: providerFetch, ...options }),
  )
  const alice = createTestBrowser(app.app)
  const signIn = async () => {
    const authorizationUrl = await alice.startSignIn("socialidp")
    expect(authorizationUrl.origin + authorizationUrl.pathname).toBe(realEndpoints.authorize)
    return alice.open(provider.approve(`${endpoints.authorize}${authorizationUrl.search}`))
  }
  return { provider, app, alice, called, signIn }
}

type UserinfoFields = Record<string, unknown>

/** Signs in and returns the stored user and account. */
async function signInAndReadUser(userinfo: UserinfoFields, options: SocialIdpOptions = {}) {
  const { provider, app, signIn } = await createSetup(options)
  provider.injectFaults({
    userinfo: ({ id, login, client_id, psuid }) => ({ id, login, client_id, psuid, ...userinfo }),
  })
  const response = await signIn()
  expect(response.headers.get("location")).toBe("https://app.example")
  return { user: app.readRows("User")[0], account: app.readRows("Account")[0] }
}

describe("the social provider", () => {
  test("signs a user in at its own endpoints", async () => {
    const { signIn, called, alice, provider } = await createSetup()
    const response = await signIn()
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(called).toEqual([realEndpoints.token, realEndpoints.userinfo])
    expect(await alice.getSession()).toMatchObject({
      user: { name: "Ada Lovelace", email: "ada@example.com" },
    })
    const [asked] = provider.authorizationRequests
    expect(asked?.get("scope")).toBe("login:info login:email login:avatar")
    expect(asked?.get("code_challenge_method")).toBe("S256")
    expect(asked?.has("nonce")).toBe(false)
    expect(provider.tokenRequests[0]?.clientAuth).toBe("client_secret_basic")
  })

  test("signs a user in at configured endpoints", async () => {
    const provider = await createScriptedProvider({ id: "socialidp", dialect: "social" })
    const { authorize: authorization, token, userinfo } = provider.endpoints
    const { issuer: _, ...client } = provider.asOptions()
    const app = await createOAuthApp(socialidp({ ...client, authorization, token, userinfo }))
    const response = await createTestBrowser(app.app).signIn(provider)
    expect(response.headers.get("location")).toBe("https://app.example")
    expect(app.readRows("Account")).toMatchObject([
      { provider: "socialidp", type: "oauth", providerAccountId: "ada" },
    ])
  })

  test("refuses a profile without an id", async () => {
    const { provider, app, alice, signIn } = await createSetup()
    provider.injectFaults({ userinfo: "id-missing" })
    await expectSignInRefused(await signIn(), alice, app, provider)
  })
})

describe("the social provider's profile", () => {
  const names: [UserinfoFields, string | null][] = [
    [{ display_name: "ada", real_name: "Ada Lovelace", first_name: "Ada" }, "ada"],
    [{ real_name: "Ада Лавлейс", first_name: "Ada" }, "Ада Лавлейс"],
    [{ first_name: "Ada" }, "Ada"],
    [{}, null],
  ]
  test.each(names)("maps %j to the name %s", async (person, name) => {
    expect((await signInAndReadUser(person)).user).toMatchObject({ name })
  })

  const addresses: [UserinfoFields, string | null][] = [
    [{ default_email: "Ada@Example.com", emails: ["other@example.com"] }, "ada@example.com"],
    [{ emails: ["first@example.com", "second@example.com"] }, "first@example.com"],
    [{ emails: [] }, null],
    [{}, null],
  ]
  test.each(addresses)("maps %j to the address %s", async (person, email) => {
    expect((await signInAndReadUser(person)).user).toMatchObject({ email })
  })

  const avatar = (suffix: string) => `https://avatars.yandex.net/get-yapic/131652443/${suffix}`

  test("returns the largest picture by default", async () => {
    const { user } = await signInAndReadUser({
      default_avatar_id: "131652443",
      is_avatar_empty: false,
    })
    expect(user).toMatchObject({ image: avatar("islands-200") })
  })

  test.each(Object.keys(avatarSizes) as (keyof typeof avatarSizes)[])(
    "shows the picture in the size that was asked for: %s",
    async (avatarSize) => {
      const person = { default_avatar_id: "131652443" }
      expect((await signInAndReadUser(person, { avatarSize })).user).toMatchObject({
        image: avatar(avatarSize),
      })
      expect(getAvatarUrl(person, avatarSize)).toBe(avatar(avatarSize))
    },
  )

  test("has the sizes of the specification", () => {
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

  const faceless: UserinfoFields[] = [
    {},
    { default_avatar_id: "" },
    { default_avatar_id: "131652443", is_avatar_empty: true },
  ]
  test.each(faceless)("returns no picture for %j", async (person) => {
    expect((await signInAndReadUser(person)).user).toMatchObject({ image: null })
  })

  test("can be mapped by the application", async () => {
    const { user, account } = await signInAndReadUser(
      { sex: "female" },
      { profile: ({ psuid, sex }) => ({ id: psuid, name: `${sex}` }) },
    )
    expect(user).toMatchObject({ name: "female" })
    expect(account).toMatchObject({ providerAccountId: "1.AAc.latchkey-client.ada" })
  })
})
