import azureADB2C from "@latchkey/core/providers/azure-ad-b2c"
import battleNet from "@latchkey/core/providers/battlenet"
import huggingface from "@latchkey/core/providers/huggingface"
import roblox from "@latchkey/core/providers/roblox"
import simpleLogin from "@latchkey/core/providers/simplelogin"
import vipps from "@latchkey/core/providers/vipps"
import { type ProviderFixture, sharedEmail } from "./provider-fixture.ts"

const name = "Ada Lovelace"
const image = "https://img.example/ada.png"
const user = { name, email: sharedEmail, image }
const directory = "https://acme.b2clogin.com/tfp/aaaabbbb-0000-cccc-1111-dddd2222eeee/b2c_1_sign_in"
const verified = (email_verified: boolean) => ({
  claims: { sub: "1", email: sharedEmail, email_verified },
})

/** More OpenID Connect providers with accounts of their own. */
export const openidAccountFixtures: readonly ProviderFixture[] = [
  {
    factory: azureADB2C,
    id: "azure-ad-b2c",
    issuer: `${directory}/v2.0/`,
    options: { issuer: `${directory}/v2.0/` },
    endpoints: {
      discovery: `${directory}/v2.0/.well-known/openid-configuration`,
      authorize: `${directory}/oauth2/v2.0/authorize`,
      token: `${directory}/oauth2/v2.0/token`,
      jwks: `${directory}/discovery/v2.0/keys`,
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid profile email latchkey-client" },
    fullProfile: {
      claims: { sub: "884408e1", oid: "884408e1", name, emails: [sharedEmail], tfp: "B2C_1" },
    },
    expectedUser: { ...user, image: null },
    accountId: "884408e1",
    minimalProfile: { claims: { sub: "2" } },
    minimalName: null,
    linkableProfiles: [{ claims: { sub: "1", emails: [sharedEmail] } }],
  },
  {
    factory: huggingface,
    id: "huggingface",
    issuer: "https://huggingface.co",
    endpoints: {
      discovery: "https://huggingface.co/.well-known/openid-configuration",
      authorize: "https://huggingface.co/oauth/authorize",
      token: "https://huggingface.co/oauth/token",
      jwks: "https://huggingface.co/oauth/jwks",
    },
    supportsPkce: true,
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "openid profile email" },
    fullProfile: {
      claims: {
        sub: "62f1234567890",
        name,
        preferred_username: "ada",
        profile: "https://huggingface.co/ada",
        picture: image,
        email: sharedEmail,
        email_verified: true,
      },
    },
    expectedUser: user,
    accountId: "62f1234567890",
    minimalProfile: { claims: { sub: "2", preferred_username: "ada" } },
    minimalName: "ada",
    unverifiedProfiles: [verified(false)],
    linkableProfiles: [verified(true)],
  },
  {
    factory: battleNet,
    id: "battlenet",
    issuer: "https://oauth.battle.net",
    endpoints: {
      discovery: "https://oauth.battle.net/.well-known/openid-configuration",
      authorize: "https://oauth.battle.net/authorize",
      token: "https://oauth.battle.net/token",
      jwks: "https://oauth.battle.net/jwks/certs",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid" },
    fullProfile: { claims: { sub: "12345", battle_tag: "Ada#1815" } },
    expectedUser: { name: "Ada#1815", email: null, image: null },
    accountId: "12345",
    minimalProfile: { claims: { sub: "2" } },
    minimalName: null,
  },
  {
    factory: roblox,
    id: "roblox",
    issuer: "https://apis.roblox.com/oauth/",
    endpoints: {
      discovery: "https://apis.roblox.com/oauth/.well-known/openid-configuration",
      authorize: "https://apis.roblox.com/oauth/v1/authorize",
      token: "https://apis.roblox.com/oauth/v1/token",
      jwks: "https://apis.roblox.com/oauth/v1/certs",
    },
    supportsPkce: true,
    clientAuth: "client_secret_basic",
    protections: ["code_challenge"],
    authorizationParams: { scope: "openid profile" },
    fullProfile: {
      claims: {
        sub: "1516563360",
        name,
        nickname: name,
        preferred_username: "ada",
        created_at: 1584682495,
        profile: "https://www.roblox.com/users/1516563360/profile",
        picture: image,
      },
    },
    expectedUser: { name, email: null, image },
    accountId: "1516563360",
    minimalProfile: { claims: { sub: "2", preferred_username: "ada", picture: null } },
    minimalName: "ada",
  },
  {
    factory: simpleLogin,
    id: "simplelogin",
    issuer: "https://app.simplelogin.io",
    endpoints: {
      discovery: "https://app.simplelogin.io/.well-known/openid-configuration",
      authorize: "https://app.simplelogin.io/oauth2/authorize",
      token: "https://app.simplelogin.io/oauth2/token",
      jwks: "https://app.simplelogin.io/jwks",
    },
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid profile email" },
    fullProfile: {
      claims: {
        sub: "1",
        id: 1,
        name,
        email: sharedEmail,
        email_verified: true,
        avatar_url: image,
        client: "Acme",
      },
    },
    expectedUser: user,
    accountId: "1",
    minimalProfile: { claims: { sub: "2", avatar_url: null } },
    minimalName: null,
    unverifiedProfiles: [verified(false)],
    linkableProfiles: [verified(true)],
  },
  {
    factory: vipps,
    id: "vipps",
    issuer: "https://api.vipps.no/access-management-1.0/access/",
    endpoints: {
      discovery:
        "https://api.vipps.no/access-management-1.0/access/.well-known/openid-configuration",
      authorize: "https://api.vipps.no/access-management-1.0/access/oauth2/auth",
      token: "https://api.vipps.no/access-management-1.0/access/oauth2/token",
      jwks: "https://api.vipps.no/access-management-1.0/access/.well-known/jwks.json",
      userinfo: "https://api.vipps.no/vipps-userinfo-api/userinfo",
    },
    supportsPkce: true,
    clientAuth: "client_secret_basic",
    protections: ["code_challenge", "nonce"],
    authorizationParams: { scope: "openid name email" },
    fullProfile: {
      claims: { sub: "c06c4afe", name, email: sharedEmail, email_verified: true, sid: "7d78a726" },
    },
    expectedUser: { ...user, image: null },
    accountId: "c06c4afe",
    minimalProfile: { claims: { sub: "2" } },
    minimalName: null,
    unverifiedProfiles: [verified(false)],
    linkableProfiles: [verified(true)],
  },
]
