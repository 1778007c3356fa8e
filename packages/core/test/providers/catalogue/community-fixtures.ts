import fortyTwo from "@latchkey/core/providers/42-school"
import dribbble from "@latchkey/core/providers/dribbble"
import eveOnline from "@latchkey/core/providers/eveonline"
import instagram from "@latchkey/core/providers/instagram"
import osu from "@latchkey/core/providers/osu"
import threads from "@latchkey/core/providers/threads"
import vk from "@latchkey/core/providers/vk"
import wikimedia from "@latchkey/core/providers/wikimedia"
import { createCharacter } from "./eveonline-character.ts"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: sharedEmail, image }
const vkUser = { id: 210700286, first_name: "Ada", last_name: "Lovelace", photo_100: image }

/** More providers of personal accounts. */
export const communityFixtures: readonly ProviderFixture[] = [
  {
    factory: vk,
    id: "vk",
    endpoints: {
      authorize: "https://oauth.vk.com/authorize",
      token: "https://oauth.vk.com/access_token?v=5.131",
      userinfo: "https://api.vk.com/method/users.get?fields=photo_100&v=5.131",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "email", v: "5.131" },
    tokenResponse: ({ access_token }) => ({ access_token, expires_in: 43200, user_id: 66748 }),
    fullProfile: { claims: { response: [vkUser] }, token: { email: sharedEmail } },
    expectedUser: user,
    accountId: "210700286",
    minimalProfile: { claims: { response: [{ id: 2 }] } },
    minimalName: null,
    linkableProfiles: [{ claims: { response: [vkUser] }, token: { email: sharedEmail } }],
  },
  {
    factory: instagram,
    id: "instagram",
    endpoints: {
      authorize: "https://www.instagram.com/oauth/authorize",
      token: "https://api.instagram.com/oauth/access_token",
      userinfo:
        "https://graph.instagram.com/me?fields=id,user_id,username,name,account_type,profile_picture_url",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "instagram_business_basic" },
    tokenResponse: ({ access_token }) => ({
      data: [{ access_token, user_id: "1020", permissions: "instagram_business_basic" }],
    }),
    fullProfile: {
      claims: { id: "243", user_id: "178", username: "ada", name, profile_picture_url: image },
    },
    expectedUser: { name: "ada", email: null, image },
    accountId: "243",
    minimalProfile: { claims: { id: "2", user_id: "3", username: "ada" } },
    minimalName: "ada",
  },
  {
    factory: threads,
    id: "threads",
    endpoints: {
      authorize: "https://threads.net/oauth/authorize",
      token: "https://graph.threads.net/oauth/access_token",
      userinfo:
        "https://graph.threads.net/v1.0/me?fields=id,username,name,threads_profile_picture_url",
    },
    clientAuth: "client_secret_post",
    protections: [],
    authorizationParams: { scope: "threads_basic" },
    tokenResponse: ({ access_token }) => ({ access_token, user_id: "17841405793187218" }),
    fullProfile: {
      claims: { id: "1234567", username: "ada", name, threads_profile_picture_url: image },
    },
    expectedUser: { name: "ada", email: null, image },
    accountId: "1234567",
    minimalProfile: { claims: { id: "2", username: "ada" } },
    minimalName: "ada",
  },
  {
    factory: eveOnline,
    id: "eveonline",
    endpoints: {
      authorize: "https://login.eveonline.com/v2/oauth/authorize",
      token: "https://login.eveonline.com/v2/oauth/token",
    },
    clientAuth: "client_secret_basic",
    protections: [],
    authorizationParams: { scope: "publicData" },
    fullProfile: createCharacter({ sub: "CHARACTER:EVE:123123", name }),
    expectedUser: {
      name,
      email: null,
      image: "https://images.evetech.net/characters/123123/portrait?size=128",
    },
    accountId: "123123",
    minimalProfile: createCharacter({ sub: "CHARACTER:EVE:2" }),
    minimalName: null,
    minimalImage: "https://images.evetech.net/characters/2/portrait?size=128",
  },
  {
    factory: fortyTwo,
    id: "42-school",
    endpoints: {
      authorize: "https://api.intra.42.fr/oauth/authorize",
      token: "https://api.intra.42.fr/oauth/token",
      userinfo: "https://api.intra.42.fr/v2/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "public" },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", created_at: 1443451918 }),
    fullProfile: {
      claims: {
        id: 2,
        email: sharedEmail,
        login: "ada",
        usual_full_name: name,
        displayname: name,
        image: { link: image, versions: {} },
      },
    },
    expectedUser: user,
    accountId: "2",
    minimalProfile: { claims: { id: 3, login: "ada", image: { link: null } } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { id: 2, login: "ada", email: sharedEmail } }],
  },
  {
    factory: osu,
    id: "osu",
    endpoints: {
      authorize: "https://osu.ppy.sh/oauth/authorize",
      token: "https://osu.ppy.sh/oauth/token",
      userinfo: "https://osu.ppy.sh/api/v2/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "identify" },
    fullProfile: { claims: { id: 1, username: "ada", avatar_url: image, country_code: "GB" } },
    expectedUser: { name: "ada", email: null, image },
    accountId: "1",
    minimalProfile: { claims: { id: 2, username: "ada" } },
    minimalName: "ada",
  },
  {
    factory: wikimedia,
    id: "wikimedia",
    endpoints: {
      authorize: "https://meta.wikimedia.org/w/rest.php/oauth2/authorize",
      token: "https://meta.wikimedia.org/w/rest.php/oauth2/access_token",
      userinfo: "https://meta.wikimedia.org/w/rest.php/oauth2/resource/profile",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    fullProfile: {
      claims: { sub: "12345", username: "Ada", email: sharedEmail, confirmed_email: true },
    },
    expectedUser: { name: "Ada", email: sharedEmail, image: null },
    accountId: "12345",
    minimalProfile: { claims: { sub: 2, username: "Ada" } },
    minimalName: "Ada",
    unverifiedProfiles: [{ confirmed_email: false }, {}].map((confirmation) => ({
      claims: { sub: "1", email: sharedEmail, ...confirmation },
    })),
    linkableProfiles: [{ claims: { sub: "1", email: sharedEmail, confirmed_email: true } }],
  },
  {
    factory: dribbble,
    id: "dribbble",
    endpoints: {
      authorize: "https://dribbble.com/oauth/authorize",
      token: "https://dribbble.com/oauth/token",
      userinfo: "https://api.dribbble.com/v2/user",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "public" },
    tokenResponse: ({ access_token }) => ({ access_token, token_type: "bearer", scope: "public" }),
    fullProfile: { claims: { id: 1, name, login: "ada", avatar_url: image, pro: false } },
    expectedUser: { name, email: null, image },
    accountId: "1",
    minimalProfile: { claims: { id: 2, login: "ada" } },
    minimalName: "ada",
  },
]
