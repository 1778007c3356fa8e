import atlassian from "@latchkey/core/providers/atlassian"
import bitbucket from "@latchkey/core/providers/bitbucket"
import dropbox from "@latchkey/core/providers/dropbox"
import github from "@latchkey/core/providers/github"
import linkedin from "@latchkey/core/providers/linkedin"
import notion from "@latchkey/core/providers/notion"
import zoom from "@latchkey/core/providers/zoom"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const user = { name: "Ada Lovelace", email: sharedEmail, image }
const emails = "https://api.github.com/user/emails"
const githubUser = {
  login: "ada",
  id: 583231,
  avatar_url: image,
  name: "Ada Lovelace",
  email: null as string | null,
}
const publicOctocat = { ...githubUser, email: "public@example.com" }
const githubAddresses = (verified: boolean) => ({
  [emails]: [
    { email: "other@example.com", primary: false, verified: true, visibility: null },
    { email: sharedEmail, primary: true, verified, visibility: "private" },
  ],
})
const bitbucketEmails = (is_confirmed: boolean) => ({
  "https://api.bitbucket.org/2.0/user/emails": {
    pagelen: 10,
    values: [
      { type: "email", email: "other@example.com", is_primary: false, is_confirmed: true },
      { type: "email", email: sharedEmail, is_primary: true, is_confirmed },
    ],
  },
})
const bitbucketUser = {
  type: "user",
  uuid: "{d7dd0e2d-3994-4a50-a9ee-d260b6cefdab}",
  account_id: "557058:d7dd",
  display_name: "Ada Lovelace",
  nickname: "ada",
  links: { avatar: { href: image } },
}
const dropboxUser = {
  account_id: "dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc",
  name: { given_name: "Ada", surname: "Lovelace", display_name: "Ada Lovelace" },
  email: sharedEmail,
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
        person: { email: sharedEmail },
        ...changes,
      },
    },
  },
})
const zoomUser = {
  id: "z8yAAAAA8bbbQ",
  first_name: "Ada",
  last_name: "Lovelace",
  display_name: "Ada Lovelace",
  email: sharedEmail,
  verified: 1,
  pic_url: image,
}
const linkedinUser = {
  sub: "782bbtaQ",
  name: "Ada Lovelace",
  picture: image,
  locale: { country: "GB", language: "en" },
  email: sharedEmail,
  email_verified: true,
}

/** Providers of business accounts. */
export const workFixtures: readonly ProviderFixture[] = [
  {
    factory: github,
    id: "github",
    endpoints: {
      authorize: "https://github.com/login/oauth/authorize",
      token: "https://github.com/login/oauth/access_token",
      userinfo: "https://api.github.com/user",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "read:user user:email" },
    tokenResponse: ({ access_token }) => ({
      access_token,
      scope: "read:user,user:email",
      token_type: "bearer",
    }),
    fullProfile: { claims: publicOctocat, otherEndpoints: githubAddresses(true) },
    expectedUser: user,
    accountId: "583231",
    minimalProfile: {
      claims: { ...githubUser, name: null, avatar_url: undefined },
      otherEndpoints: { [emails]: 404 },
    },
    minimalName: "ada",
    // Removing the scope from the request must not make the address more trusted.
    unverifiedProfiles: [
      { claims: githubUser, otherEndpoints: githubAddresses(false) },
      { claims: { ...githubUser, email: sharedEmail }, otherEndpoints: { [emails]: 403 } },
      { claims: { ...githubUser, email: sharedEmail }, otherEndpoints: { [emails]: 404 } },
    ],
    linkableProfiles: [{ claims: githubUser, otherEndpoints: githubAddresses(true) }],
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
    protections: ["code_challenge"],
    authorizationParams: { scope: "account email" },
    tokenResponse: ({ scope, ...honest }) => ({ ...honest, scopes: scope }),
    fullProfile: { claims: bitbucketUser, otherEndpoints: bitbucketEmails(true) },
    expectedUser: user,
    accountId: bitbucketUser.uuid,
    minimalProfile: {
      claims: { uuid: "{2}", username: "ada" },
      otherEndpoints: { "https://api.bitbucket.org/2.0/user/emails": 403 },
    },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: bitbucketUser, otherEndpoints: bitbucketEmails(false) }],
    linkableProfiles: [{ claims: bitbucketUser, otherEndpoints: bitbucketEmails(true) }],
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
    protections: [],
    authorizationParams: { scope: "openid profile email" },
    // An ID token without the nonce, which is not used.
    tokenResponse: ({ token_type, ...honest }) => ({
      ...honest,
      token_type,
      id_token: "e30.e30.e30",
    }),
    fullProfile: { claims: linkedinUser },
    expectedUser: user,
    accountId: linkedinUser.sub,
    minimalProfile: { claims: { sub: "2" } },
    minimalName: null,
    unverifiedProfiles: [{ claims: { ...linkedinUser, email_verified: false } }],
    linkableProfiles: [{ claims: linkedinUser }],
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
    protections: [],
    authorizationParams: { scope: "read:me", audience: "api.atlassian.com", prompt: "consent" },
    fullProfile: {
      claims: { account_type: "atlassian", account_id: "112233aa", ...user, picture: image },
    },
    expectedUser: user,
    accountId: "112233aa",
    minimalProfile: { claims: { account_id: "2", email: null } },
    minimalName: null,
    linkableProfiles: [{ claims: { account_id: "1", email: sharedEmail } }],
  },
  {
    factory: notion,
    id: "notion",
    endpoints: {
      authorize: "https://api.notion.com/v1/oauth/authorize",
      token: "https://api.notion.com/v1/oauth/token",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { owner: "user", scope: null },
    tokenResponse: ({ access_token }) => ({ access_token }),
    fullProfile: notionOwner(),
    expectedUser: user,
    accountId: "e79a0b74-3aba-4149-9f74-0bb5791a6ee6",
    minimalProfile: notionOwner({ name: null, avatar_url: null, person: {} }),
    minimalName: null,
    linkableProfiles: [notionOwner()],
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
    protections: ["code_challenge"],
    authorizationParams: { scope: "account_info.read", token_access_type: "offline" },
    tokenResponse: (honest) => ({ ...honest, uid: "12345", account_id: dropboxUser.account_id }),
    fullProfile: { claims: dropboxUser },
    expectedUser: user,
    accountId: dropboxUser.account_id,
    minimalProfile: { claims: { account_id: "2", name: { display_name: "ada" } } },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: { ...dropboxUser, email_verified: false } }],
    linkableProfiles: [{ claims: dropboxUser }],
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
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({
      ...honest,
      scope: "user:read:user",
      api_url: "https://api.zoom.us",
    }),
    fullProfile: { claims: zoomUser },
    expectedUser: user,
    accountId: zoomUser.id,
    minimalProfile: { claims: { id: "2", first_name: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: { ...zoomUser, verified: 0 } }],
    linkableProfiles: [{ claims: zoomUser }],
  },
]
