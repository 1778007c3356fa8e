import atlassian from "@latchkey/core/providers/atlassian"
import bitbucket from "@latchkey/core/providers/bitbucket"
import dropbox from "@latchkey/core/providers/dropbox"
import github from "@latchkey/core/providers/github"
import linkedin from "@latchkey/core/providers/linkedin"
import notion from "@latchkey/core/providers/notion"
import zoom from "@latchkey/core/providers/zoom"
import { claimed, type Dialect } from "./dialect.ts"

const image = "https://img.example/ada.png"
const user = { name: "Ada Lovelace", email: claimed, image }
const emails = "https://api.github.com/user/emails"
const octocat = {
  login: "ada",
  id: 583231,
  avatar_url: image,
  name: "Ada Lovelace",
  email: null as string | null,
}
const shown = { ...octocat, email: "public@example.com" }
const githubAddresses = (verified: boolean) => ({
  [emails]: [
    { email: "other@example.com", primary: false, verified: true, visibility: null },
    { email: claimed, primary: true, verified, visibility: "private" },
  ],
})
const confirmed = (is_confirmed: boolean) => ({
  "https://api.bitbucket.org/2.0/user/emails": {
    pagelen: 10,
    values: [
      { type: "email", email: "other@example.com", is_primary: false, is_confirmed: true },
      { type: "email", email: claimed, is_primary: true, is_confirmed },
    ],
  },
})
const bucketeer = {
  type: "user",
  uuid: "{d7dd0e2d-3994-4a50-a9ee-d260b6cefdab}",
  account_id: "557058:d7dd",
  display_name: "Ada Lovelace",
  nickname: "ada",
  links: { avatar: { href: image } },
}
const dropboxer = {
  account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
  name: { given_name: "Ada", surname: "Lovelace", display_name: "Ada Lovelace" },
  email: claimed,
  email_verified: true,
  profile_photo_url: image,
}
const notionOwner = (changes: object = {}) => ({
  token: {
    token_type: "bearer",
    bot_id: "b3414d65",
    workspace_id: "j565j4d7",
    owner: {
      type: "user",
      user: {
        object: "user",
        id: "e79a0b74-3aba-4149-9f74-0bb5791a6ee6",
        type: "person",
        name: "Ada Lovelace",
        avatar_url: image,
        person: { email: claimed },
        ...changes,
      },
    },
  },
})
const zoomer = {
  id: "z8yAAAAA8bbbQ",
  first_name: "Ada",
  last_name: "Lovelace",
  display_name: "Ada Lovelace",
  email: claimed,
  verified: 1,
  pic_url: image,
}
const linked = {
  sub: "782bbtaQ",
  name: "Ada Lovelace",
  picture: image,
  locale: { country: "GB", language: "en" },
  email: claimed,
  email_verified: true,
}

/** Providers of accounts that people work with. */
export const workDialects: readonly Dialect[] = [
  {
    factory: github,
    id: "github",
    endpoints: {
      authorize: "https://github.com/login/oauth/authorize",
      token: "https://github.com/login/oauth/access_token",
      userinfo: "https://api.github.com/user",
    },
    clientAuth: "client_secret_basic",
    guards: ["code_challenge"],
    asked: { scope: "read:user user:email" },
    token: ({ access_token }) => ({
      access_token,
      scope: "read:user,user:email",
      token_type: "bearer",
    }),
    full: { claims: shown, also: githubAddresses(true) },
    user,
    accountId: "583231",
    bare: {
      claims: { ...octocat, name: null, avatar_url: undefined },
      also: { [emails]: 404 },
    },
    bareName: "ada",
    // Who takes the scope out of the request is believed no more than who leaves it in.
    denied: [
      { claims: octocat, also: githubAddresses(false) },
      { claims: { ...octocat, email: claimed }, also: { [emails]: 403 } },
      { claims: { ...octocat, email: claimed }, also: { [emails]: 404 } },
    ],
    believed: [{ claims: octocat, also: githubAddresses(true) }],
  },
  {
    factory: bitbucket,
    id: "bitbucket",
    endpoints: {
      authorize: "https://bitbucket.org/site/oauth2/authorize",
      token: "https://bitbucket.org/site/oauth2/access_token",
      userinfo: "https://api.bitbucket.org/2.0/user",
    },
    clientAuth: "client_secret_basic",
    guards: [],
    asked: { scope: "account email" },
    token: ({ scope, ...honest }) => ({ ...honest, scopes: scope }),
    full: { claims: bucketeer, also: confirmed(true) },
    user,
    accountId: bucketeer.uuid,
    bare: {
      claims: { uuid: "{2}", username: "ada" },
      also: { "https://api.bitbucket.org/2.0/user/emails": 403 },
    },
    bareName: "ada",
    denied: [{ claims: bucketeer, also: confirmed(false) }],
    believed: [{ claims: bucketeer, also: confirmed(true) }],
  },
  {
    factory: linkedin,
    id: "linkedin",
    endpoints: {
      authorize: "https://www.linkedin.com/oauth/v2/authorization",
      token: "https://www.linkedin.com/oauth/v2/accessToken",
      userinfo: "https://api.linkedin.com/v2/userinfo",
    },
    clientAuth: "client_secret_post",
    guards: [],
    asked: { scope: "openid profile email" },
    // An ID token without the nonce, which nobody looks into.
    token: ({ token_type, ...honest }) => ({ ...honest, token_type, id_token: "e30.e30.e30" }),
    full: { claims: linked },
    user,
    accountId: linked.sub,
    bare: { claims: { sub: "2" } },
    bareName: null,
    denied: [{ claims: { ...linked, email_verified: false } }],
    believed: [{ claims: linked }],
  },
  {
    factory: atlassian,
    id: "atlassian",
    endpoints: {
      authorize: "https://auth.atlassian.com/authorize",
      token: "https://auth.atlassian.com/oauth/token",
      userinfo: "https://api.atlassian.com/me",
    },
    clientAuth: "client_secret_post",
    guards: [],
    asked: { scope: "read:me", audience: "api.atlassian.com", prompt: "consent" },
    full: {
      claims: { account_type: "atlassian", account_id: "112233aa", ...user, picture: image },
    },
    user,
    accountId: "112233aa",
    bare: { claims: { account_id: "2", email: null } },
    bareName: null,
    believed: [{ claims: { account_id: "1", email: claimed } }],
  },
  {
    factory: notion,
    id: "notion",
    endpoints: {
      authorize: "https://api.notion.com/v1/oauth/authorize",
      token: "https://api.notion.com/v1/oauth/token",
    },
    clientAuth: "client_secret_basic",
    guards: [],
    asked: { owner: "user", scope: null },
    token: ({ access_token }) => ({ access_token }),
    full: notionOwner(),
    user,
    accountId: "e79a0b74-3aba-4149-9f74-0bb5791a6ee6",
    bare: notionOwner({ name: null, avatar_url: null, person: {} }),
    bareName: null,
    believed: [notionOwner()],
  },
  {
    factory: dropbox,
    id: "dropbox",
    endpoints: {
      authorize: "https://www.dropbox.com/oauth2/authorize",
      token: "https://api.dropboxapi.com/oauth2/token",
      userinfo: "https://api.dropboxapi.com/2/users/get_current_account",
    },
    clientAuth: "client_secret_basic",
    guards: [],
    asked: { scope: "account_info.read" },
    token: (honest) => ({ ...honest, uid: "12345", account_id: dropboxer.account_id }),
    full: { claims: dropboxer },
    user,
    accountId: dropboxer.account_id,
    bare: { claims: { account_id: "2", name: { display_name: "ada" } } },
    bareName: "ada",
    denied: [{ claims: { ...dropboxer, email_verified: false } }],
    believed: [{ claims: dropboxer }],
  },
  {
    factory: zoom,
    id: "zoom",
    endpoints: {
      authorize: "https://zoom.us/oauth/authorize",
      token: "https://zoom.us/oauth/token",
      userinfo: "https://api.zoom.us/v2/users/me",
    },
    clientAuth: "client_secret_basic",
    guards: ["code_challenge"],
    asked: { scope: null },
    token: (honest) => ({ ...honest, scope: "user:read:user", api_url: "https://api.zoom.us" }),
    full: { claims: zoomer },
    user,
    accountId: zoomer.id,
    bare: { claims: { id: "2", first_name: "ada" } },
    bareName: "ada",
    denied: [{ claims: { ...zoomer, verified: 0 } }],
    believed: [{ claims: zoomer }],
  },
]
