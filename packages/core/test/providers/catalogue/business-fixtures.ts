import box from "@latchkey/core/providers/box"
import coinbase from "@latchkey/core/providers/coinbase"
import eventbrite from "@latchkey/core/providers/eventbrite"
import figma from "@latchkey/core/providers/figma"
import hubspot from "@latchkey/core/providers/hubspot"
import mailchimp from "@latchkey/core/providers/mailchimp"
import pipedrive from "@latchkey/core/providers/pipedrive"
import todoist from "@latchkey/core/providers/todoist"
import webex from "@latchkey/core/providers/webex"
import wordpress from "@latchkey/core/providers/wordpress"
import workos from "@latchkey/core/providers/workos"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const image = "https://img.example/ada.png"
const name = "Ada Lovelace"
const user = { name, email: sharedEmail, image }
const workosUser = {
  object: "profile",
  id: "prof_01DMC79VCBZ0NY2099737PSVF1",
  organization_id: "org_01EHQMYV6MBK39QC5PZXHY59C3",
  connection_id: "conn_01E4ZCR3C56J083X43JQXF3JK5",
  connection_type: "OktaSAML",
  idp_id: "00u1klkowm8EGah2H357",
  email: sharedEmail,
  first_name: "Ada",
  last_name: "Lovelace",
  raw_attributes: { picture: image },
}
const hubspotToken = "CJSP5qf1KhICAQEYs-gDIIGOBii1hQIyGQAf3xBKmlwHjX7OIpuIFEavB2"
const hubspotUser = (info: object) => ({
  token: { access_token: hubspotToken },
  otherEndpoints: {
    [`https://api.hubapi.com/oauth/v1/access-tokens/${hubspotToken}`]: {
      hub_id: 62515,
      hub_domain: "acme.example",
      scopes: ["oauth"],
      token_type: "access",
      ...info,
    },
  },
})
const mailchimpUser = (account: object) => ({
  otherEndpoints: { "https://login.mailchimp.com/oauth2/metadata": { dc: "us6", ...account } },
})
const eventbriteUser = (verified: boolean) => ({
  claims: {
    id: "1",
    name,
    emails: [
      { email: "other@example.com", verified: true, primary: false },
      { email: sharedEmail, verified, primary: true },
    ],
  },
})
const wordpressUser = { ID: 78972699, username: "ada", email: sharedEmail }

/** More providers of business accounts. */
export const businessFixtures: readonly ProviderFixture[] = [
  {
    factory: workos,
    id: "workos",
    endpoints: {
      authorize: "https://api.workos.com/sso/authorize",
      token: "https://api.workos.com/sso/token",
      userinfo: "https://api.workos.com/sso/profile",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: ({ access_token }) => ({ access_token, expires_in: 600, profile: workosUser }),
    fullProfile: { claims: workosUser },
    expectedUser: user,
    accountId: workosUser.id,
    minimalProfile: { claims: { id: "prof_2", first_name: null, last_name: "ada" } },
    minimalName: "ada",
    linkableProfiles: [{ claims: workosUser }],
  },
  {
    factory: hubspot,
    id: "hubspot",
    endpoints: {
      authorize: "https://app.hubspot.com/oauth/authorize",
      token: "https://api.hubapi.com/oauth/v1/token",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "oauth" },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", expires_in: 1800 }),
    fullProfile: hubspotUser({ user: sharedEmail, user_id: 123 }),
    expectedUser: { name: sharedEmail, email: sharedEmail, image: null },
    accountId: "123",
    minimalProfile: hubspotUser({ user_id: 2 }),
    minimalName: null,
    linkableProfiles: [hubspotUser({ user: sharedEmail, user_id: 123 })],
  },
  {
    factory: figma,
    id: "figma",
    endpoints: {
      authorize: "https://www.figma.com/oauth",
      token: "https://api.figma.com/v1/oauth/token",
      userinfo: "https://api.figma.com/v1/me",
    },
    clientAuth: "client_secret_basic",
    protections: [],
    authorizationParams: { scope: "current_user:read" },
    tokenResponse: (honest) => ({ ...honest, user_id_string: "1234567890", expires_in: 7776000 }),
    fullProfile: {
      claims: { id: "1234567890", handle: name, email: sharedEmail, img_url: image },
    },
    expectedUser: user,
    accountId: "1234567890",
    minimalProfile: { claims: { id: "2", handle: "ada" } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { id: "1", email: sharedEmail } }],
  },
  {
    factory: coinbase,
    id: "coinbase",
    endpoints: {
      authorize: "https://login.coinbase.com/oauth2/auth",
      token: "https://login.coinbase.com/oauth2/token",
      userinfo: "https://api.coinbase.com/v2/user",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "wallet:user:email wallet:user:read" },
    fullProfile: {
      claims: {
        data: { id: "9da7a204", name, username: null, avatar_url: image, email: sharedEmail },
      },
    },
    expectedUser: user,
    accountId: "9da7a204",
    minimalProfile: { claims: { data: { id: "2", name: null, avatar_url: null } } },
    minimalName: null,
    linkableProfiles: [{ claims: { data: { id: "1", email: sharedEmail } } }],
  },
  {
    factory: box,
    id: "box",
    endpoints: {
      authorize: "https://account.box.com/api/oauth2/authorize",
      token: "https://api.box.com/oauth2/token",
      userinfo: "https://api.box.com/2.0/users/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({ ...honest, token_type: "bearer", restricted_to: [] }),
    fullProfile: {
      claims: { type: "user", id: "11446498", name, login: sharedEmail, avatar_url: image },
    },
    expectedUser: user,
    accountId: "11446498",
    minimalProfile: { claims: { type: "user", id: "2", name: "ada" } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { id: "1", login: sharedEmail } }],
  },
  {
    factory: wordpress,
    id: "wordpress",
    endpoints: {
      authorize: "https://public-api.wordpress.com/oauth2/authorize",
      token: "https://public-api.wordpress.com/oauth2/token",
      userinfo: "https://public-api.wordpress.com/rest/v1/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "auth" },
    tokenResponse: ({ access_token }) => ({ access_token, token_type: "bearer", blog_id: "0" }),
    fullProfile: {
      claims: { ...wordpressUser, display_name: name, email_verified: true, avatar_URL: image },
    },
    expectedUser: user,
    accountId: "78972699",
    minimalProfile: { claims: { ID: 2, username: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [{ claims: { ...wordpressUser, email_verified: false } }],
    linkableProfiles: [{ claims: { ...wordpressUser, email_verified: true } }],
  },
  {
    factory: webex,
    id: "webex",
    endpoints: {
      authorize: "https://webexapis.com/v1/authorize",
      token: "https://webexapis.com/v1/access_token",
      userinfo: "https://webexapis.com/v1/people/me",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "spark:kms spark:people_read" },
    tokenResponse: ({ access_token }) => ({ access_token, expires_in: 1209600 }),
    fullProfile: {
      claims: { id: "Y2lzY29", emails: [sharedEmail], displayName: name, avatar: image },
    },
    expectedUser: user,
    accountId: "Y2lzY29",
    minimalProfile: { claims: { id: "2", emails: [], nickName: "ada" } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { id: "1", emails: [sharedEmail] } }],
  },
  {
    factory: todoist,
    id: "todoist",
    endpoints: {
      authorize: "https://todoist.com/oauth/authorize",
      token: "https://todoist.com/oauth/access_token",
      userinfo: "https://api.todoist.com/api/v1/user",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: "data:read" },
    tokenResponse: ({ access_token }) => ({ access_token, token_type: "Bearer" }),
    fullProfile: {
      claims: { id: "2671355", full_name: name, email: sharedEmail, avatar_big: image },
    },
    expectedUser: user,
    accountId: "2671355",
    minimalProfile: { claims: { id: "2", full_name: "ada", avatar_big: null } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { id: "1", email: sharedEmail } }],
  },
  {
    factory: mailchimp,
    id: "mailchimp",
    endpoints: {
      authorize: "https://login.mailchimp.com/oauth2/authorize",
      token: "https://login.mailchimp.com/oauth2/token",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: ({ access_token }) => ({ access_token, expires_in: 0, scope: null }),
    fullProfile: mailchimpUser({
      accountname: "Acme",
      user_id: 15,
      login: { login_id: 14, login_name: "ada", login_email: sharedEmail },
    }),
    expectedUser: { name: "Acme", email: sharedEmail, image: null },
    accountId: "14",
    minimalProfile: mailchimpUser({ login: { login_id: 2 } }),
    minimalName: null,
    linkableProfiles: [mailchimpUser({ login: { login_id: 1, login_email: sharedEmail } })],
  },
  {
    factory: pipedrive,
    id: "pipedrive",
    endpoints: {
      authorize: "https://oauth.pipedrive.com/oauth/authorize",
      token: "https://oauth.pipedrive.com/oauth/token",
      userinfo: "https://api.pipedrive.com/v1/users/me",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: (honest) => ({ ...honest, api_domain: "https://acme.pipedrive.com" }),
    fullProfile: {
      claims: { success: true, data: { id: 1, name, email: sharedEmail, icon_url: image } },
    },
    expectedUser: user,
    accountId: "1",
    minimalProfile: { claims: { success: true, data: { id: 2, name: "ada", icon_url: null } } },
    minimalName: "ada",
    linkableProfiles: [{ claims: { success: true, data: { id: 1, email: sharedEmail } } }],
  },
  {
    factory: eventbrite,
    id: "eventbrite",
    endpoints: {
      authorize: "https://www.eventbrite.com/oauth/authorize",
      token: "https://www.eventbrite.com/oauth/token",
      userinfo: "https://www.eventbriteapi.com/v3/users/me/",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge"],
    authorizationParams: { scope: null },
    tokenResponse: ({ access_token }) => ({ access_token, token_type: "bearer" }),
    fullProfile: eventbriteUser(true),
    expectedUser: { ...user, image: null },
    accountId: "1",
    minimalProfile: { claims: { id: "2", name: "ada", emails: [] } },
    minimalName: "ada",
    unverifiedProfiles: [eventbriteUser(false)],
    linkableProfiles: [eventbriteUser(true)],
  },
]
