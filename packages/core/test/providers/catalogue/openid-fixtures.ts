import apple from "@latchkey/core/providers/apple"
import gitlab from "@latchkey/core/providers/gitlab"
import google from "@latchkey/core/providers/google"
import microsoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
import salesforce from "@latchkey/core/providers/salesforce"
import slack from "@latchkey/core/providers/slack"
import twitch from "@latchkey/core/providers/twitch"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const ada = {
  name: "Ada Lovelace",
  email: sharedEmail,
  email_verified: true,
  picture: "https://img.example/ada.png",
}
const adaUser = { name: ada.name, email: sharedEmail, image: ada.picture }
const unverifiedProfile = { claims: { sub: "1", ...ada, email_verified: false } }
const minimalProfile = { claims: { sub: "2" } }
const tenant = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
const microsoft = "https://login.microsoftonline.com"

/** OpenID Connect providers with a fixed issuer. */
export const openidFixtures: readonly ProviderFixture[] = [
  {
    factory: google,
    id: "google",
    issuer: "https://accounts.google.com",
    endpoints: {
      discovery: "https://accounts.google.com/.well-known/openid-configuration",
      authorize: "https://accounts.google.com/o/oauth2/v2/auth",
      token: "https://oauth2.googleapis.com/token",
      jwks: "https://www.googleapis.com/oauth2/v3/certs",
    },
    supportsPkce: true,
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "openid profile email" },
    fullProfile: { claims: { sub: "110169484474386276334", hd: "example.com", ...ada } },
    expectedUser: adaUser,
    accountId: "110169484474386276334",
    minimalProfile,
    minimalName: null,
    unverifiedProfiles: [unverifiedProfile],
    linkableProfiles: [{ claims: { sub: "1", ...ada } }],
  },
  {
    factory: apple,
    id: "apple",
    issuer: "https://appleid.apple.com",
    endpoints: {
      discovery: "https://appleid.apple.com/.well-known/openid-configuration",
      authorize: "https://appleid.apple.com/auth/authorize",
      token: "https://appleid.apple.com/auth/token",
      jwks: "https://appleid.apple.com/auth/keys",
    },
    clientAuth: "client_secret_post",
    protections: ["nonce"],
    authorizationParams: { scope: "openid name email", response_mode: "form_post" },
    fullProfile: {
      claims: {
        sub: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
        email: sharedEmail,
        email_verified: "true",
        is_private_email: "true",
        nonce_supported: true,
      },
    },
    expectedUser: { name: null, email: sharedEmail, image: null },
    accountId: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
    minimalProfile,
    minimalName: null,
    unverifiedProfiles: [
      { claims: { sub: "1", email: sharedEmail, email_verified: "false" } },
      { claims: { sub: "1", email: sharedEmail, email_verified: false } },
    ],
    linkableProfiles: [{ claims: { sub: "1", email: sharedEmail, email_verified: true } }],
  },
  {
    factory: microsoftEntraID,
    id: "microsoft-entra-id",
    issuer: `${microsoft}/${tenant}/v2.0`,
    endpoints: {
      discovery: `${microsoft}/${tenant}/v2.0/.well-known/openid-configuration`,
      authorize: `${microsoft}/${tenant}/oauth2/v2.0/authorize`,
      token: `${microsoft}/${tenant}/oauth2/v2.0/token`,
      jwks: `${microsoft}/${tenant}/discovery/v2.0/keys`,
    },
    options: { issuer: `${microsoft}/${tenant}/v2.0` },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid profile email User.Read" },
    fullProfile: {
      otherEndpoints: {
        "https://graph.microsoft.com/v1.0/me/photos/48x48/$value": new Uint8Array([255, 216, 0]),
      },
      claims: {
        sub: "AAAAAAAAAA",
        tid: tenant,
        oid: "o",
        name: ada.name,
        email: sharedEmail,
        ver: "2.0",
      },
    },
    expectedUser: { ...adaUser, image: "data:image/jpeg;base64,/9gA" },
    accountId: "AAAAAAAAAA",
    minimalProfile: { claims: { sub: "2", tid: tenant, preferred_username: "ada@example.com" } },
    minimalName: null,
    unverifiedProfiles: [undefined, false, "0", 0, "yes"].map((xms_edov) => ({
      claims: { sub: "1", tid: tenant, email: sharedEmail, xms_edov },
    })),
    linkableProfiles: [true, "1", 1].map((xms_edov) => ({
      claims: { sub: "1", tid: tenant, email: sharedEmail, xms_edov },
    })),
  },
  {
    factory: gitlab,
    id: "gitlab",
    issuer: "https://gitlab.com",
    endpoints: {
      discovery: "https://gitlab.com/.well-known/openid-configuration",
      authorize: "https://gitlab.com/oauth/authorize",
      token: "https://gitlab.com/oauth/token",
      jwks: "https://gitlab.com/oauth/discovery/keys",
      userinfo: "https://gitlab.com/oauth/userinfo",
    },
    supportsPkce: true,
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "openid profile email" },
    fullProfile: { claims: { sub: "1574083", nickname: "ada", ...ada, groups: ["engine"] } },
    expectedUser: adaUser,
    accountId: "1574083",
    minimalProfile: { claims: { sub: "2", nickname: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [unverifiedProfile],
    linkableProfiles: [{ claims: { sub: "1", ...ada } }],
  },
  {
    factory: slack,
    id: "slack",
    issuer: "https://slack.com",
    endpoints: {
      discovery: "https://slack.com/.well-known/openid-configuration",
      authorize: "https://slack.com/openid/connect/authorize",
      token: "https://slack.com/api/openid.connect.token",
      jwks: "https://slack.com/openid/connect/keys",
    },
    clientAuth: "client_secret_basic",
    protections: ["nonce"],
    authorizationParams: { scope: "openid profile email" },
    tokenResponse: (honest) => ({ ok: true, ...honest }),
    fullProfile: {
      claims: {
        sub: "U0R7MFMJM",
        "https://slack.com/user_id": "U0R7MFMJM",
        "https://slack.com/team_id": "T0R7GR",
        ...ada,
      },
    },
    expectedUser: adaUser,
    accountId: "U0R7MFMJM",
    minimalProfile,
    minimalName: null,
    unverifiedProfiles: [unverifiedProfile],
    linkableProfiles: [{ claims: { sub: "1", ...ada } }],
  },
  {
    factory: twitch,
    id: "twitch",
    issuer: "https://id.twitch.tv/oauth2",
    endpoints: {
      discovery: "https://id.twitch.tv/oauth2/.well-known/openid-configuration",
      authorize: "https://id.twitch.tv/oauth2/authorize",
      token: "https://id.twitch.tv/oauth2/token",
      jwks: "https://id.twitch.tv/oauth2/keys",
    },
    clientAuth: "client_secret_post",
    protections: ["code_challenge", "nonce"],
    authorizationParams: {
      scope: "openid user:read:email",
      claims:
        '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    tokenResponse: (honest) => ({
      ...honest,
      scope: String(honest["scope"]).split(" "),
      token_type: "bearer",
    }),
    fullProfile: {
      claims: {
        sub: "713936733",
        preferred_username: "AdaPlays",
        email: sharedEmail,
        email_verified: true,
        picture: ada.picture,
      },
    },
    expectedUser: { ...adaUser, name: "AdaPlays" },
    accountId: "713936733",
    minimalProfile,
    minimalName: null,
    // The second user removed the claim from the request, which is sent through the browser.
    unverifiedProfiles: [unverifiedProfile, { claims: { sub: "1", email: sharedEmail } }],
    linkableProfiles: [{ claims: { sub: "1", ...ada } }],
  },
  {
    factory: salesforce,
    id: "salesforce",
    issuer: "https://login.salesforce.com",
    endpoints: {
      discovery: "https://login.salesforce.com/.well-known/openid-configuration",
      authorize: "https://login.salesforce.com/services/oauth2/authorize",
      token: "https://login.salesforce.com/services/oauth2/token",
      jwks: "https://login.salesforce.com/id/keys",
      userinfo: "https://login.salesforce.com/services/oauth2/userinfo",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid profile email" },
    tokenResponse: ({ expires_in: _, ...honest }) => ({
      ...honest,
      id: "https://login.salesforce.com/id/00Dx/005x",
      instance_url: "https://example.my.salesforce.com",
      issued_at: "1278448384422",
      signature: "SSSbLO/gBhmmyNUvN18ODBDFYHzakxOMgqYtu+hDPsc=",
    }),
    fullProfile: {
      claims: { sub: "https://login.salesforce.com/id/00Dx/005x", user_id: "005x", ...ada },
    },
    expectedUser: adaUser,
    accountId: "https://login.salesforce.com/id/00Dx/005x",
    minimalProfile: { claims: { sub: "2", nickname: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [unverifiedProfile],
    linkableProfiles: [{ claims: { sub: "1", ...ada } }],
  },
]
