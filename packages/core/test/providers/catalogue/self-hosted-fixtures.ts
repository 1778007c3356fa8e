import mastodon from "@latchkey/core/providers/mastodon"
import mattermost from "@latchkey/core/providers/mattermost"
import nextcloud from "@latchkey/core/providers/nextcloud"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const chat = "https://chat.acme.example"
const cloud = "https://cloud.acme.example"
const mattermostUser = { id: "xj7aqkq5", username: "ada", email: sharedEmail }
const nextcloudUser = (id: string, data: object) => ({
  token: { user_id: id },
  otherEndpoints: {
    [`${cloud}/ocs/v1.php/cloud/users/${encodeURIComponent(id)}`]: {
      ocs: { meta: { status: "ok", statuscode: 100, message: "OK" }, data: { id, ...data } },
    },
  },
})

/** OAuth 2 providers that run on many servers. */
export const selfHostedFixtures: readonly ProviderFixture[] = [
  {
    factory: mattermost,
    id: "mattermost",
    options: { issuer: chat },
    endpoints: {
      authorize: `${chat}/oauth/authorize`,
      token: `${chat}/oauth/access_token`,
      userinfo: `${chat}/api/v4/users/me`,
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", scope: "user" }),
    fullProfile: { claims: { ...mattermostUser, email_verified: true, nickname: "", roles: "" } },
    expectedUser: { name: "ada", email: sharedEmail, image: null },
    accountId: "xj7aqkq5",
    minimalProfile: { claims: { id: "2", username: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: { ...mattermostUser, email_verified: false } }],
    linkableProfiles: [{ claims: { ...mattermostUser, email_verified: true } }],
  },
  {
    factory: nextcloud,
    id: "nextcloud",
    options: { issuer: `${cloud}/` },
    endpoints: {
      authorize: `${cloud}/apps/oauth2/authorize`,
      token: `${cloud}/apps/oauth2/api/v1/token`,
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    fullProfile: nextcloudUser("ada", { displayname: "Ada Lovelace", email: sharedEmail }),
    expectedUser: { name: "Ada Lovelace", email: sharedEmail, image: `${cloud}/avatar/ada/512` },
    accountId: "ada",
    minimalProfile: nextcloudUser("grace h", { email: "" }),
    minimalName: null,
    minimalImage: `${cloud}/avatar/grace%20h/512`,
    linkableProfiles: [nextcloudUser("ada", { email: sharedEmail })],
  },
  {
    factory: mastodon,
    id: "mastodon",
    options: { issuer: "https://mastodon.example" },
    endpoints: {
      authorize: "https://mastodon.example/oauth/authorize",
      token: "https://mastodon.example/oauth/token",
      userinfo: "https://mastodon.example/api/v1/accounts/verify_credentials",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "read" },
    tokenResponse: ({ access_token }) => ({
      access_token,
      token_type: "Bearer",
      scope: "read",
      created_at: 1573979017,
    }),
    fullProfile: {
      claims: { id: "14715", username: "ada", acct: "ada", avatar: image, avatar_static: image },
    },
    expectedUser: { name: "ada", email: null, image },
    accountId: "14715",
    minimalProfile: { claims: { id: "2", username: "ada" } },
    minimalName: "ada",
  },
]
