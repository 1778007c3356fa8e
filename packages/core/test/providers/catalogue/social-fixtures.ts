import discord from "@latchkey/core/providers/discord"
import facebook from "@latchkey/core/providers/facebook"
import patreon from "@latchkey/core/providers/patreon"
import reddit from "@latchkey/core/providers/reddit"
import spotify from "@latchkey/core/providers/spotify"
import strava from "@latchkey/core/providers/strava"
import tiktok from "@latchkey/core/providers/tiktok"
import twitter from "@latchkey/core/providers/twitter"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: sharedEmail, image }
const userWithoutEmail = { name, email: null, image }
const discordUser = { id: "80351110224678912", username: "ada", email: sharedEmail, verified: true }
const patreonUser = (attributes: object) => ({
  claims: { data: { type: "user", id: "32187", attributes } },
})

/** Providers of personal accounts. */
export const socialFixtures: readonly ProviderFixture[] = [
  {
    factory: facebook,
    id: "facebook",
    endpoints: {
      authorize: "https://www.facebook.com/v24.0/dialog/oauth",
      token: "https://graph.facebook.com/v24.0/oauth/access_token",
      userinfo: "https://graph.facebook.com/v24.0/me?fields=id,name,email,picture.width(200)",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "public_profile,email" },
    tokenResponse: ({ access_token }) => ({
      access_token,
      token_type: "bearer",
      expires_in: 5_183_944,
    }),
    fullProfile: {
      claims: {
        id: "10158921234",
        name,
        email: sharedEmail,
        picture: { data: { url: image, is_silhouette: false } },
      },
    },
    expectedUser: user,
    accountId: "10158921234",
    minimalProfile: { claims: { id: "2", picture: { data: { url: image, is_silhouette: true } } } },
    minimalName: null,
    linkableProfiles: [{ claims: { id: "1", email: sharedEmail } }],
  },
  {
    factory: twitter,
    id: "twitter",
    endpoints: {
      authorize: "https://x.com/i/oauth2/authorize",
      token: "https://api.x.com/2/oauth2/token",
      userinfo: "https://api.x.com/2/users/me?user.fields=profile_image_url",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "users.read tweet.read offline.access" },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", expires_in: 7200 }),
    fullProfile: {
      claims: { data: { id: "2244994945", name, username: "ada", profile_image_url: image } },
    },
    expectedUser: userWithoutEmail,
    accountId: "2244994945",
    minimalProfile: { claims: { data: { id: "2", name: "ada", username: "ada" } } },
    minimalName: "ada",
  },
  {
    factory: discord,
    id: "discord",
    endpoints: {
      authorize: "https://discord.com/oauth2/authorize",
      token: "https://discord.com/api/oauth2/token",
      userinfo: "https://discord.com/api/users/@me",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "identify email" },
    fullProfile: {
      claims: { ...discordUser, global_name: name, avatar: "8342729096ea3675442027381ff50dfe" },
    },
    expectedUser: {
      ...user,
      image:
        "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    },
    accountId: "80351110224678912",
    minimalProfile: { claims: { id: "2", username: "ada", global_name: null, avatar: null } },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: { ...discordUser, verified: false } }],
    linkableProfiles: [{ claims: discordUser }],
  },
  {
    factory: spotify,
    id: "spotify",
    endpoints: {
      authorize: "https://accounts.spotify.com/authorize",
      token: "https://accounts.spotify.com/api/token",
      userinfo: "https://api.spotify.com/v1/me",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "user-read-email" },
    fullProfile: {
      claims: {
        id: "smedjan",
        display_name: name,
        email: sharedEmail,
        images: [{ url: image, height: 300, width: 300 }],
      },
    },
    expectedUser: user,
    accountId: "smedjan",
    minimalProfile: { claims: { id: "2", display_name: null, images: [] } },
    minimalName: null,
    unverifiedProfiles: [{ claims: { id: "1", email: sharedEmail } }],
  },
  {
    factory: reddit,
    id: "reddit",
    endpoints: {
      authorize: "https://www.reddit.com/api/v1/authorize",
      token: "https://www.reddit.com/api/v1/access_token",
      userinfo: "https://oauth.reddit.com/api/v1/me?raw_json=1",
    },
    clientAuth: "client_secret_basic",
    protections: [],
    authorizationParams: { scope: "identity" },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", expires_in: 86_400 }),
    fullProfile: { claims: { id: "1w72", name: "ada", snoovatar_img: "", icon_img: image } },
    expectedUser: { ...userWithoutEmail, name: "ada" },
    accountId: "1w72",
    minimalProfile: { claims: { id: "2", name: "ada" } },
    minimalName: "ada",
  },
  {
    factory: tiktok,
    id: "tiktok",
    endpoints: {
      authorize: "https://www.tiktok.com/v2/auth/authorize/",
      token: "https://open.tiktokapis.com/v2/oauth/token/",
      userinfo:
        "https://open.tiktokapis.com/v2/user/info/?fields=open_id,union_id,avatar_url,display_name",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: {
      scope: "user.info.basic",
      client_key: "latchkey-client",
      client_id: null,
    },
    renamedParams: { client_key: "client_id" },
    tokenResponse: (honest) => ({ ...honest, open_id: "afd97af1", refresh_expires_in: 31_536_000 }),
    fullProfile: {
      claims: {
        data: { user: { open_id: "afd97af1", display_name: name, avatar_url: image } },
        error: { code: "ok", message: "", log_id: "20220829194722CBE87ED59D524E727021" },
      },
    },
    expectedUser: userWithoutEmail,
    accountId: "afd97af1",
    minimalProfile: { claims: { data: { user: { open_id: "2" } }, error: { code: "ok" } } },
    minimalName: null,
  },
  {
    factory: strava,
    id: "strava",
    endpoints: {
      authorize: "https://www.strava.com/oauth/authorize",
      token: "https://www.strava.com/oauth/token",
      userinfo: "https://www.strava.com/api/v3/athlete",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "read" },
    tokenResponse: (honest) => ({ ...honest, expires_at: 1_568_775_134, athlete: { id: 227615 } }),
    fullProfile: { claims: { id: 227615, firstname: "Ada", lastname: "Lovelace", profile: image } },
    expectedUser: userWithoutEmail,
    accountId: "227615",
    minimalProfile: { claims: { id: 2, firstname: "ada", profile: "avatar/athlete/large.png" } },
    minimalName: "ada",
  },
  {
    factory: patreon,
    id: "patreon",
    endpoints: {
      authorize: "https://www.patreon.com/oauth2/authorize",
      token: "https://www.patreon.com/api/oauth2/token",
      userinfo:
        "https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=email,full_name,image_url,is_email_verified",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "identity identity[email]" },
    fullProfile: patreonUser({
      full_name: name,
      email: sharedEmail,
      image_url: image,
      is_email_verified: true,
    }),
    expectedUser: user,
    accountId: "32187",
    minimalProfile: patreonUser({}),
    minimalName: null,
    unverifiedProfiles: [patreonUser({ email: sharedEmail, is_email_verified: false })],
    linkableProfiles: [patreonUser({ email: sharedEmail, is_email_verified: true })],
  },
]
