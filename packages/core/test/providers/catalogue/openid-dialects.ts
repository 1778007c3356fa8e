import apple from "@latchkey/core/providers/apple"
import gitlab from "@latchkey/core/providers/gitlab"
import google from "@latchkey/core/providers/google"
import microsoftEntraID from "@latchkey/core/providers/microsoft-entra-id"
import salesforce from "@latchkey/core/providers/salesforce"
import slack from "@latchkey/core/providers/slack"
import twitch from "@latchkey/core/providers/twitch"
import { claimed, type Dialect } from "./dialect.ts"

const ada = {
  name: "Ada Lovelace",
  email: claimed,
  email_verified: true,
  picture: "https://img.example/ada.png",
}
const adaUser = { name: ada.name, email: claimed, image: ada.picture }
const unproven = { claims: { sub: "1", ...ada, email_verified: false } }
const bare = { claims: { sub: "2" } }
const tenant = "aaaabbbb-0000-cccc-1111-dddd2222eeee"
const microsoft = "https://login.microsoftonline.com"

/** Providers that speak OpenID Connect at an address that everybody knows. */
export const openidDialects: readonly Dialect[] = [
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
    announcesPkce: true,
    clientAuth: "client_secret_basic",
    guards: ["code_challenge"],
    asked: { scope: "openid profile email" },
    full: { claims: { sub: "110169484474386276334", hd: "example.com", ...ada } },
    user: adaUser,
    accountId: "110169484474386276334",
    bare,
    bareName: null,
    denied: [unproven],
    believed: [{ claims: { sub: "1", ...ada } }],
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
    guards: ["nonce"],
    asked: { scope: "openid name email", response_mode: "form_post" },
    full: {
      claims: {
        sub: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
        email: claimed,
        email_verified: "true",
        is_private_email: "true",
        nonce_supported: true,
      },
    },
    user: { name: null, email: claimed, image: null },
    accountId: "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.1234",
    bare,
    bareName: null,
    denied: [
      { claims: { sub: "1", email: claimed, email_verified: "false" } },
      { claims: { sub: "1", email: claimed, email_verified: false } },
    ],
    believed: [{ claims: { sub: "1", email: claimed, email_verified: true } }],
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
    guards: ["code_challenge", "nonce"],
    asked: { scope: "openid profile email" },
    full: {
      claims: {
        sub: "AAAAAAAAAA",
        tid: tenant,
        oid: "o",
        name: ada.name,
        email: claimed,
        ver: "2.0",
      },
    },
    user: { ...adaUser, image: null },
    accountId: "AAAAAAAAAA",
    bare: { claims: { sub: "2", tid: tenant, preferred_username: "ada@example.com" } },
    bareName: null,
    denied: [undefined, false, "0", 0, "yes"].map((xms_edov) => ({
      claims: { sub: "1", tid: tenant, email: claimed, xms_edov },
    })),
    believed: [true, "1", 1].map((xms_edov) => ({
      claims: { sub: "1", tid: tenant, email: claimed, xms_edov },
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
    announcesPkce: true,
    clientAuth: "client_secret_basic",
    guards: ["code_challenge"],
    asked: { scope: "openid profile email" },
    full: { claims: { sub: "1574083", nickname: "ada", ...ada, groups: ["engine"] } },
    user: adaUser,
    accountId: "1574083",
    bare: { claims: { sub: "2", nickname: "ada" } },
    bareName: "ada",
    denied: [unproven],
    believed: [{ claims: { sub: "1", ...ada } }],
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
    clientAuth: "client_secret_post",
    guards: ["nonce"],
    asked: { scope: "openid profile email" },
    token: (honest) => ({ ok: true, ...honest }),
    full: {
      claims: {
        sub: "U0R7MFMJM",
        "https://slack.com/user_id": "U0R7MFMJM",
        "https://slack.com/team_id": "T0R7GR",
        ...ada,
      },
    },
    user: adaUser,
    accountId: "U0R7MFMJM",
    bare,
    bareName: null,
    denied: [unproven],
    believed: [{ claims: { sub: "1", ...ada } }],
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
    guards: ["nonce"],
    asked: {
      scope: "openid user:read:email",
      claims:
        '{"id_token":{"email":null,"email_verified":null,"picture":null,"preferred_username":null}}',
    },
    token: (honest) => ({
      ...honest,
      scope: String(honest["scope"]).split(" "),
      token_type: "bearer",
    }),
    full: {
      claims: {
        sub: "713936733",
        preferred_username: "AdaPlays",
        email: claimed,
        email_verified: true,
        picture: ada.picture,
      },
    },
    user: { ...adaUser, name: "AdaPlays" },
    accountId: "713936733",
    bare,
    bareName: null,
    // The second one had the claim left out: what is asked for goes by way of the browser.
    denied: [unproven, { claims: { sub: "1", email: claimed } }],
    believed: [{ claims: { sub: "1", ...ada } }],
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
    guards: ["code_challenge", "nonce"],
    asked: { scope: "openid profile email" },
    token: ({ expires_in: _, ...honest }) => ({
      ...honest,
      id: "https://login.salesforce.com/id/00Dx/005x",
      instance_url: "https://example.my.salesforce.com",
      issued_at: "1278448384422",
      signature: "SSSbLO/gBhmmyNUvN18ODBDFYHzakxOMgqYtu+hDPsc=",
    }),
    full: { claims: { sub: "https://login.salesforce.com/id/00Dx/005x", user_id: "005x", ...ada } },
    user: adaUser,
    accountId: "https://login.salesforce.com/id/00Dx/005x",
    bare: { claims: { sub: "2", nickname: "ada" } },
    bareName: "ada",
    denied: [unproven],
    believed: [{ claims: { sub: "1", ...ada } }],
  },
]
