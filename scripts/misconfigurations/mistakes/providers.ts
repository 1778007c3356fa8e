/** Mistakes in providers, at both ends. */
import { createConfigFiles, createProviderFiles } from "../config-files.ts"
import type { Misconfiguration } from "../misconfiguration.ts"
import { openSignInPage, signInWithProvider } from "../triggers.ts"

const online = ["--online"]
/** The page after a sign-in that could not begin or complete. */
const failed = (words: RegExp) => ({
  production: /sign-in was not completed|Sign-in is unavailable/,
  development: words,
})

export const providerMistakes: readonly Misconfiguration[] = [
  {
    mistake: "a wrong client id",
    files: createProviderFiles(),
    env: { AUTH_IDP_ID: "another-client" },
    trigger: signInWithProvider,
    doctor: {
      args: online,
      code: "client-refused",
      what: /401 invalid_client/,
      fix: /AUTH_IDP_ID and AUTH_IDP_SECRET/,
    },
    terminal: { unseen: "The provider shows its own page, and the browser does not come back." },
    browser: { production: /client_id is unknown/, development: /client_id is unknown/ },
  },
  {
    mistake: "a wrong client secret",
    files: createProviderFiles(),
    env: { AUTH_IDP_SECRET: "the-secret-of-another-client" },
    trigger: signInWithProvider,
    doctor: {
      args: online,
      code: "client-refused",
      what: /401 invalid_client/,
      fix: /AUTH_IDP_SECRET/,
    },
    terminal: { type: "", words: [/401/, /invalid_client/, /AUTH_IDP_SECRET/] },
    browser: failed(/invalid_client/),
  },
  {
    mistake: "a redirect URI that is not registered",
    files: createProviderFiles(),
    provider: { redirectUris: ["https://example.com/api/auth/callback/idp"] },
    trigger: signInWithProvider,
    doctor: {
      args: online,
      code: "redirect-uri-refused",
      what: /does not know the redirect URI http.*\/auth\/callback\/idp/,
      fix: /Register this URI/,
    },
    terminal: { unseen: "The provider shows its own page, and the browser does not come back." },
    browser: {
      production: /redirect_uri .* is not registered/,
      development: /redirect_uri .* is not registered/,
    },
  },
  {
    mistake: "an issuer that cannot be reached",
    files: createProviderFiles(),
    env: { AUTH_IDP_ISSUER: "http://127.0.0.1:1" },
    trigger: signInWithProvider,
    doctor: { args: online, code: "discovery-unreachable", what: /127\.0\.0\.1:1/, fix: /issuer/ },
    terminal: { type: "OAuthSignInError", words: [/idp/, /issuer/] },
    browser: failed(/OAuthSignInError/),
  },
  {
    mistake: "an issuer with a wrong path",
    files: createProviderFiles(),
    env: { AUTH_IDP_ISSUER: "{issuer}/realms/mane" },
    trigger: signInWithProvider,
    doctor: { args: online, code: "discovery-missing", what: /404/, fix: /character by character/ },
    terminal: { type: "OAuthSignInError", words: [/idp/, /404/, /issuer/] },
    browser: failed(/404/),
  },
  {
    mistake: "metadata of another issuer",
    files: createProviderFiles(),
    provider: { faults: { discovery: "issuer-other" } },
    trigger: signInWithProvider,
    doctor: { args: online, code: "discovery-issuer", what: /issuer is http/, fix: /spelling/ },
    terminal: { type: "OAuthSignInError", words: [/idp/, /issuer/] },
    browser: failed(/issuer/),
  },
  {
    mistake: "an issuer without https",
    files: createProviderFiles(),
    env: { AUTH_IDP_ISSUER: "http://id.example.com" },
    doctor: { code: "InvalidEndpoints", what: /issuer.*https/, fix: /AUTH_IDP_ISSUER/ },
    terminal: { type: "InvalidEndpoints", words: [/issuer/, /https/, /AUTH_IDP_ISSUER/] },
    browser: { production: /Sign in/, development: /AUTH_IDP_ISSUER/ },
  },
  {
    mistake: "an issuer that is missing",
    files: createProviderFiles(),
    env: { AUTH_IDP_ISSUER: undefined },
    doctor: { code: "InvalidEndpoints", what: /issuer/, fix: /AUTH_IDP_ISSUER/ },
    terminal: { type: "InvalidEndpoints", words: [/issuer/, /AUTH_IDP_ISSUER/] },
    browser: { production: /Sign in/, development: /AUTH_IDP_ISSUER/ },
  },
  {
    mistake: "the name of a provider instead of the provider",
    files: createConfigFiles('providers: ["github"]'),
    doctor: { code: "InvalidProvider", what: /providers\[0\]/, fix: /Import it from/ },
    terminal: { type: "InvalidProvider", words: [/providers\[0\]/, /Import it from/] },
    browser: { production: /Sign in/, development: /InvalidProvider/ },
  },
  {
    mistake: "a provider that is undefined",
    files: createConfigFiles("providers: [undefined]"),
    doctor: { code: "InvalidProvider", what: /providers\[0\]/, fix: /conditional entries/ },
    terminal: { type: "InvalidProvider", words: [/providers\[0\]/, /conditional entries/] },
    browser: { production: /Sign in/, development: /InvalidProvider/ },
  },
  {
    mistake: "a class instead of a provider",
    files: createConfigFiles("providers: [class GitHub {}]"),
    doctor: { code: "InvalidProvider", what: /providers\[0\]/, fix: /./ },
    terminal: { type: "InvalidProvider", words: [/providers\[0\]/] },
    browser: { production: /Sign in/, development: /InvalidProvider/ },
  },
  {
    mistake: "a misspelled option of a provider",
    files: createProviderFiles('clientID: "app"'),
    env: { AUTH_IDP_ID: undefined },
    doctor: { code: "MissingClientId", what: /clientId.*clientID/, fix: /`clientId`/ },
    terminal: { type: "MissingClientId", words: [/clientID/, /`clientId`/] },
    browser: { production: /Sign in/, development: /clientID/ },
  },
  {
    mistake: "one provider twice",
    files: createConfigFiles(
      'providers: ["a", "b"].map((clientId) => ({ id: "idp", name: "IdP", type: "oidc", clientId }))',
    ),
    doctor: { code: "DuplicateProvider", what: /idp/, fix: /id: "idp-2"/ },
    terminal: { type: "DuplicateProvider", words: [/idp/, /`id`/] },
    browser: { production: /Sign in/, development: /DuplicateProvider/ },
  },
  {
    mistake: "an ID token from the future",
    files: createProviderFiles(),
    provider: { faults: { idToken: "iat-far-ahead" } },
    trigger: signInWithProvider,
    doctor: {
      unseen: "The doctor cannot sign in, and so gets no ID token; it compares the clocks.",
    },
    terminal: { type: "", words: [/iat/, /clock of this server/, /behind/] },
    browser: failed(/clock/),
  },
  {
    mistake: "another algorithm than that of the provider's keys",
    files: createProviderFiles('client: { id_token_signed_response_alg: "ES256" }'),
    trigger: signInWithProvider,
    doctor: {
      args: online,
      code: "discovery-algorithm",
      what: /ES256.*RS256/,
      fix: /id_token_signed_response_alg/,
    },
    terminal: { type: "", words: [/RS256|ES256|alg/] },
    browser: failed(/alg/i),
  },
  {
    mistake: "a credentials provider without authorize",
    files: createConfigFiles(
      'providers: [{ id: "credentials", name: "Password", type: "credentials", credentials: { name: {} } }]',
    ),
    trigger: openSignInPage,
    doctor: { code: "MissingAuthorize", what: /authorize/, fix: /authorize: async/ },
    terminal: { type: "MissingAuthorize", words: [/authorize/, /authorize: async/] },
    browser: { production: /Sign in/, development: /MissingAuthorize/ },
  },
]
