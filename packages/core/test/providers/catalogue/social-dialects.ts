import discord from "@latchkey/core/providers/discord"
import facebook from "@latchkey/core/providers/facebook"
import patreon from "@latchkey/core/providers/patreon"
import reddit from "@latchkey/core/providers/reddit"
import spotify from "@latchkey/core/providers/spotify"
import strava from "@latchkey/core/providers/strava"
import tiktok from "@latchkey/core/providers/tiktok"
import twitter from "@latchkey/core/providers/twitter"
import { claimed, type Dialect } from "./dialect.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: claimed, image }
const nameless = { name, email: null, image }
const discordian = { id: "80351110224678912", username: "ada", email: claimed, verified: true }
const patron = (attributes: object) => ({
  claims: { data: { type: "user", id: "32187", attributes } },
})

/** Providers of accounts that people have for themselves. */
export const socialDialects: readonly Dialect[] = [
  {
    factory: facebook,
    id: "facebook",
    endpoints: {
      authorize: "https://www.facebook.com/v24.0/dialog/oauth",
      token: "https://graph.facebook.com/v24.0/oauth/access_token",
      userinfo: "https://graph.facebook.com/v24.0/me?fields=id,name,email,picture.width(200)",
    },
    clientAuth: "client_secret_post",
    guards: [],
    asked: { scope: "public_profile,email" },
    token: ({ access_token }) => ({ access_token, token_type: "bearer", expires_in: 5_183_944 }),
    full: {
      claims: {
        id: "10158921234",
        name,
        email: claimed,
        picture: { data: { url: image, is_silhouette: false } },
      },
    },
    user,
    accountId: "10158921234",
    bare: { claims: { id: "2", picture: { data: { url: image, is_silhouette: true } } } },
    bareName: null,
    believed: [{ claims: { id: "1", email: claimed } }],
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
    guards: ["code_challenge"],
    asked: { scope: "users.read tweet.read" },
    token: (honest) => ({ ...honest, token_type: "bearer", expires_in: 7200 }),
    full: {
      claims: { data: { id: "2244994945", name, username: "ada", profile_image_url: image } },
    },
    user: nameless,
    accountId: "2244994945",
    bare: { claims: { data: { id: "2", name: "ada", username: "ada" } } },
    bareName: "ada",
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
    guards: ["code_challenge"],
    asked: { scope: "identify email" },
    full: {
      claims: { ...discordian, global_name: name, avatar: "8342729096ea3675442027381ff50dfe" },
    },
    user: {
      ...user,
      image:
        "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    },
    accountId: "80351110224678912",
    bare: { claims: { id: "2", username: "ada", global_name: null, avatar: null } },
    bareName: "ada",
    denied: [{ claims: { ...discordian, verified: false } }],
    believed: [{ claims: discordian }],
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
    guards: [],
    asked: { scope: "user-read-email" },
    full: {
      claims: {
        id: "smedjan",
        display_name: name,
        email: claimed,
        images: [{ url: image, height: 300, width: 300 }],
      },
    },
    user,
    accountId: "smedjan",
    bare: { claims: { id: "2", display_name: null, images: [] } },
    bareName: null,
    denied: [{ claims: { id: "1", email: claimed } }],
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
    guards: [],
    asked: { scope: "identity" },
    token: (honest) => ({ ...honest, token_type: "bearer", expires_in: 86_400 }),
    full: { claims: { id: "1w72", name: "ada", snoovatar_img: "", icon_img: image } },
    user: { ...nameless, name: "ada" },
    accountId: "1w72",
    bare: { claims: { id: "2", name: "ada" } },
    bareName: "ada",
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
    guards: [],
    asked: { scope: "user.info.basic", client_key: "latchkey-client", client_id: null },
    renamed: { client_key: "client_id" },
    token: (honest) => ({ ...honest, open_id: "afd97af1", refresh_expires_in: 31_536_000 }),
    full: {
      claims: {
        data: { user: { open_id: "afd97af1", display_name: name, avatar_url: image } },
        error: { code: "ok", message: "", log_id: "20220829194722CBE87ED59D524E727021" },
      },
    },
    user: nameless,
    accountId: "afd97af1",
    bare: { claims: { data: { user: { open_id: "2" } }, error: { code: "ok" } } },
    bareName: null,
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
    guards: [],
    asked: { scope: "read" },
    token: (honest) => ({ ...honest, expires_at: 1_568_775_134, athlete: { id: 227615 } }),
    full: { claims: { id: 227615, firstname: "Ada", lastname: "Lovelace", profile: image } },
    user: nameless,
    accountId: "227615",
    bare: { claims: { id: 2, firstname: "ada", profile: "avatar/athlete/large.png" } },
    bareName: "ada",
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
    guards: [],
    asked: { scope: "identity identity[email]" },
    full: patron({ full_name: name, email: claimed, image_url: image, is_email_verified: true }),
    user,
    accountId: "32187",
    bare: patron({}),
    bareName: null,
    denied: [patron({ email: claimed, is_email_verified: false })],
    believed: [patron({ email: claimed, is_email_verified: true })],
  },
]
