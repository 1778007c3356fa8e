/**
 * Ten providers that behave as documented, simulated by the scripted provider at their real URLs, and
 * their Auth.js provider objects.
 */
import type { OAuth2Config, OIDCConfig } from "@auth/core/providers"
import Apple from "@auth/core/providers/apple"
import Auth0 from "@auth/core/providers/auth0"
import Discord from "@auth/core/providers/discord"
import GitHub from "@auth/core/providers/github"
import GitLab from "@auth/core/providers/gitlab"
import Google from "@auth/core/providers/google"
import Keycloak from "@auth/core/providers/keycloak"
import MicrosoftEntraID from "@auth/core/providers/microsoft-entra-id"
import Slack from "@auth/core/providers/slack"
import Twitch from "@auth/core/providers/twitch"
import type { Claims, ScriptedUser } from "@latchkey/testing"

/** The options that all ten factories accept. */
interface ClientOptions {
  clientId: string
  clientSecret: string
}

// biome-ignore lint/suspicious/noExplicitAny: the profile of each is its own, as in the library's own list of providers
export type OAuthProvider = OAuth2Config<any> | OIDCConfig<any>

export interface ProviderFixture {
  /** Creates the provider object with its factory. */
  readonly createProvider: (options: ClientOptions) => OAuthProvider
  /** The authorization endpoint at which the scripted provider responds. */
  readonly issuer: string
  /** URLs of the real provider, and the endpoints of the scripted provider that respond there. */
  readonly endpointAddresses?: Readonly<Record<string, string>>
  /** URLs with fixed responses. */
  readonly fixedResponses?: Readonly<Record<string, () => Response>>
  /** URLs whose responses differ from those of the scripted provider. */
  readonly changedResponses?: Readonly<Record<string, (response: Claims) => Claims>>
  /** The user, as claims of the ID token. */
  readonly claims: ScriptedUser
  /** The response of the userinfo endpoint, if it differs. */
  readonly userinfoResponse?: Claims
  readonly changeTokenResponse?: (response: Claims) => Claims
  readonly changeMetadata?: (response: Claims) => Claims
  /** Parameters of the authorization response besides the code. */
  readonly changeCallbackParameters?: (parameters: URLSearchParams) => void
  /** The resulting user, and the id of the account. */
  readonly expectedUser: { name: string | null; email: string | null; image: string | null }
  readonly accountId: string
  /** The client authentication, and the checks of the sign-in. */
  readonly clientAuth: "client_secret_basic" | "client_secret_post"
  readonly scope: string
  /** Whether it returns an ID token without the scope `openid`. */
  readonly alwaysReturnsIdToken?: true
}

const ada = { name: "Ada Lovelace", email: "ada@example.com" }
const picture = "https://img.example/ada.png"
const claims = { sub: "a-7", ...ada, email_verified: true, picture }
const standardFixture = { claims, expectedUser: { ...ada, image: picture }, accountId: "a-7" }
const removeIdToken = ({ id_token: _, ...response }: Claims): Claims => response
/** Few providers send `iss` in the response (RFC 9207). */
const removeIssParameterSupport = (metadata: Claims): Claims => ({
  ...metadata,
  authorization_response_iss_parameter_supported: undefined,
})
const tenant = "2c8a1b6e-5a0b-4b53-9b1c-3f6a3b7a1f10"
const entra = "https://login.microsoftonline.com"

export const providerFixtures: Readonly<Record<string, ProviderFixture>> = {
  google: {
    ...standardFixture,
    createProvider: Google,
    issuer: "https://accounts.google.com",
    clientAuth: "client_secret_basic",
    scope: "openid profile email",
  },
  github: {
    createProvider: GitHub,
    issuer: "https://github.com/login/oauth",
    endpointAddresses: {
      "https://github.com/login/oauth/access_token": "token",
      "https://api.github.com/user": "userinfo",
    },
    fixedResponses: {
      "https://api.github.com/user/emails": () =>
        Response.json([
          { email: "old@example.com", primary: false, verified: true, visibility: null },
          { email: "ada@example.com", primary: true, verified: true, visibility: "private" },
        ]),
    },
    claims: { sub: "7" },
    // A private address is not part of the profile.
    userinfoResponse: { id: 7, login: "ada", name: ada.name, email: null, avatar_url: picture },
    changeTokenResponse: (response) => {
      const { access_token } = response
      return { access_token, token_type: "bearer", scope: "read:user,user:email" }
    },
    expectedUser: { ...ada, image: picture },
    accountId: "7",
    clientAuth: "client_secret_basic",
    scope: "read:user user:email",
  },
  discord: {
    createProvider: Discord,
    issuer: "https://discord.com/api/oauth2",
    endpointAddresses: { "https://discord.com/api/users/@me": "userinfo" },
    claims: { sub: "80351110224678912" },
    userinfoResponse: {
      id: "80351110224678912",
      username: "ada",
      discriminator: "0",
      global_name: ada.name,
      avatar: "8342729096ea3675442027381ff50dfe",
      verified: true,
      email: ada.email,
    },
    changeTokenResponse: removeIdToken,
    changeCallbackParameters: (parameters) => parameters.delete("iss"),
    expectedUser: {
      ...ada,
      image:
        "https://cdn.discordapp.com/avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png",
    },
    accountId: "80351110224678912",
    clientAuth: "client_secret_basic",
    scope: "identify email",
  },
  "microsoft-entra-id": {
    createProvider: MicrosoftEntraID,
    issuer: `${entra}/${tenant}/v2.0`,
    endpointAddresses: { [`${entra}/common/v2.0/.well-known/openid-configuration`]: "discovery" },
    fixedResponses: {
      "https://graph.microsoft.com/v1.0/me/photos/48x48/$value": () =>
        new Response(new Uint8Array([1, 2, 3])),
    },
    changeMetadata: removeIssParameterSupport,
    changedResponses: {
      [`${entra}/common/v2.0/.well-known/openid-configuration`]: (response) => ({
        ...response,
        issuer: `${entra}/{tenantid}/v2.0`,
      }),
    },
    claims: { sub: "pairwise-7", oid: "o-7", tid: tenant, name: ada.name, email: ada.email },
    changeCallbackParameters: (parameters) => parameters.delete("iss"),
    expectedUser: { ...ada, image: "data:image/jpeg;base64, AQID" },
    accountId: "pairwise-7",
    clientAuth: "client_secret_basic",
    scope: "openid profile email User.Read",
  },
  keycloak: {
    ...standardFixture,
    createProvider: (options) =>
      Keycloak({ ...options, issuer: "https://keycloak.example/realms/app" }),
    issuer: "https://keycloak.example/realms/app",
    clientAuth: "client_secret_basic",
    scope: "openid profile email",
  },
  auth0: {
    ...standardFixture,
    createProvider: (options) => Auth0({ ...options, issuer: "https://app.eu.auth0.com" }),
    issuer: "https://app.eu.auth0.com",
    clientAuth: "client_secret_basic",
    scope: "openid profile email",
  },
  gitlab: {
    createProvider: GitLab,
    issuer: "https://gitlab.com/oauth",
    endpointAddresses: { "https://gitlab.com/api/v4/user": "userinfo" },
    claims: { sub: "7" },
    userinfoResponse: { id: 7, username: "ada", ...ada, avatar_url: picture, state: "active" },
    changeTokenResponse: removeIdToken,
    changeCallbackParameters: (parameters) => parameters.delete("iss"),
    expectedUser: { ...ada, image: picture },
    accountId: "7",
    clientAuth: "client_secret_basic",
    scope: "read_user",
  },
  slack: {
    ...standardFixture,
    createProvider: Slack,
    issuer: "https://slack.com",
    changeTokenResponse: (response) => ({ ok: true, ...response, token_type: "Bearer" }),
    clientAuth: "client_secret_basic",
    scope: "openid profile email",
  },
  twitch: {
    createProvider: Twitch,
    issuer: "https://id.twitch.tv/oauth2",
    claims: { sub: "7", preferred_username: "ada", email: ada.email, picture },
    // An array instead of a string.
    changeTokenResponse: (response) => ({ ...response, scope: ["openid", "user:read:email"] }),
    changeMetadata: (response) => ({
      ...removeIssParameterSupport(response),
      code_challenge_methods_supported: undefined,
    }),
    changeCallbackParameters: (parameters) => parameters.delete("iss"),
    expectedUser: { name: "ada", email: ada.email, image: picture },
    accountId: "7",
    clientAuth: "client_secret_post",
    scope: "openid user:read:email",
  },
  apple: {
    createProvider: Apple,
    issuer: "https://appleid.apple.com",
    claims: { sub: "001.7", email: ada.email, email_verified: "true" as unknown as boolean },
    changeMetadata: ({ userinfo_endpoint: _, ...response }) => removeIssParameterSupport(response),
    // Only at the first sign-in, in addition to the ID token.
    changeCallbackParameters: (parameters) => {
      parameters.delete("iss")
      const user = { name: { firstName: "Ada", lastName: "Lovelace" }, email: ada.email }
      parameters.set("user", JSON.stringify(user))
    },
    expectedUser: { ...ada, image: null },
    accountId: "001.7",
    clientAuth: "client_secret_post",
    scope: "name email",
    alwaysReturnsIdToken: true,
  },
}
