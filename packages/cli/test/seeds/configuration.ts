/** Mistakes in the configuration itself: the library refuses every request for them. */
import {
  config,
  credentials,
  nodemailer,
  type Seed,
  secret,
  sql,
  tenantidp,
  wellSet,
} from "../support/seed.ts"

const production = ["--production"]
const provider = (options: string): ReturnType<typeof config> =>
  config(`providers: [tenantidp({ ${options} })]`, tenantidp)

export const configurationSeeds: readonly Seed[] = [
  {
    mistake: "no secret",
    files: config(""),
    finds: ["error", "MissingSecret", /secret/, /AUTH_SECRET/],
  },
  {
    mistake: "a short secret",
    files: config('secret: "hunter2"'),
    finds: ["error", "WeakSecret", /32 characters/, /secret/],
  },
  {
    mistake: "an untrusted host in production",
    files: config(""),
    env: wellSet,
    args: production,
    finds: ["error", "UntrustedHost", /trustHost/, /AUTH_TRUST_HOST/],
  },
  {
    mistake: "a host that is said to be untrusted",
    files: config(""),
    env: { ...wellSet, AUTH_TRUST_HOST: "false" },
    finds: ["error", "UntrustedHost", /trustHost/, /AUTH_TRUST_HOST/],
  },
  {
    mistake: "a provider without client id",
    files: provider('issuer: "https://id.example.com", clientSecret: "s"'),
    env: wellSet,
    finds: ["error", "InvalidEndpoints", /tenantidp.*clientId/, /AUTH_TENANTIDP_ID/],
  },
  {
    mistake: "a provider without issuer",
    files: provider('clientId: "app", clientSecret: "s"'),
    env: wellSet,
    finds: ["error", "InvalidEndpoints", /tenantidp.*issuer/, /AUTH_TENANTIDP_ISSUER/],
  },
  {
    mistake: "an issuer without https",
    files: provider('clientId: "app", clientSecret: "s", issuer: "http://id.example.com"'),
    env: wellSet,
    finds: ["error", "InvalidEndpoints", /issuer.*https/, /./],
  },
  {
    mistake: "two providers with one id",
    files: config(
      'providers: ["a", "b"].map((clientId) => tenantidp({ clientId, clientSecret: "s", issuer: "https://id.example.com" }))',
      tenantidp,
    ),
    env: wellSet,
    finds: ["error", "DuplicateProvider", /tenantidp/, /./],
  },
  {
    mistake: "a module in place of a provider",
    files: config(
      "providers: [tenantidp]",
      'import * as tenantidp from "@latchkey/core/providers/tenantidp"',
    ),
    env: wellSet,
    finds: ["error", "InvalidProvider", /providers/, /default/],
  },
  {
    mistake: "e-mail without a database",
    files: config('providers: [nodemailer({ server: "smtp://127.0.0.1:1" })]', nodemailer),
    env: wellSet,
    finds: ["error", "MissingAdapter", /adapter/, /nodemailer/],
  },
  {
    mistake: "database sessions without a database",
    files: config('session: { strategy: "database" }'),
    env: wellSet,
    finds: ["error", "MissingAdapter", /adapter/, /Sessions in a database/],
  },
  {
    mistake: "an adapter that lacks methods",
    files: config("adapter: { getUser: SqlAdapter(database).getUser }", sql),
    env: wellSet,
    finds: ["error", "MissingAdapterMethods", /createSession/, /./],
  },
  {
    mistake: "an adapter that was not awaited",
    files: config("adapter: migrate(database).then(() => SqlAdapter(database))", sql),
    env: wellSet,
    finds: ["error", "InvalidOption", /adapter/, /await/],
  },
  {
    mistake: "a form that nothing checks",
    files: config("providers: [credentials({ credentials: {} })]", credentials),
    env: wellSet,
    finds: ["error", "MissingAuthorize", /credentials.*authorize/, /./],
  },
  {
    mistake: "a base path without its slash",
    files: config('basePath: "auth"'),
    env: wellSet,
    finds: ["error", "InvalidOption", /basePath/, /"\/auth"/],
  },
  {
    mistake: "a lifetime in words",
    files: config('session: { maxAge: "30d" }'),
    env: wellSet,
    finds: ["error", "InvalidOption", /session\.maxAge/, /seconds/],
  },
  {
    mistake: "a strategy that does not exist",
    files: config('session: { strategy: "cookie" }'),
    env: wellSet,
    finds: ["error", "InvalidOption", /session\.strategy/, /jwt/],
  },
  {
    mistake: "a page without its slash",
    files: config('pages: { signIn: "login" }'),
    env: wellSet,
    finds: ["error", "InvalidOption", /pages\.signIn.*slash.*"login"/, /\/login/],
  },
  {
    mistake: "a callback that is no function",
    files: config("callbacks: { session: true }"),
    env: wellSet,
    finds: ["error", "InvalidOption", /callbacks\.session/, /function/],
  },
  {
    mistake: "an option misspelt",
    files: config("callback: { session: ({ session }) => session }"),
    env: wellSet,
    finds: ["warning", "UnknownOption", /callback/, /callbacks/],
  },
  {
    mistake: "a __Host- cookie with a domain",
    files: config(
      'cookies: { csrfToken: { name: "__Host-csrf", options: { domain: "example.com" } } }',
    ),
    env: { ...wellSet, AUTH_TRUST_HOST: "true" },
    args: ["--url", "https://example.com"],
    finds: ["error", "InvalidOption", /csrfToken/, /domain/],
  },
  {
    mistake: "a redirect proxy without a scheme",
    files: config('redirectProxyUrl: "example.com/auth"'),
    env: wellSet,
    finds: ["error", "InvalidOption", /redirectProxyUrl.*URL/, /scheme/],
  },
  {
    mistake: "a secret from an example",
    files: config(""),
    env: { AUTH_SECRET: "changeme-changeme-changeme-changeme" },
    finds: ["error", "WeakSecret", /secret/, /./],
  },
  {
    mistake: "a passkey provider while passkeys are off",
    files: config(
      "providers: [passkey()], adapter: SqlAdapter(database)",
      `import passkey from "@latchkey/core/providers/passkey"\n${sql}await migrate(database)`,
    ),
    env: wellSet,
    finds: ["error", "ExperimentalFeatureNotEnabled", /enableWebAuthn/, /passkey/],
  },
  {
    mistake: "one good and one short secret",
    files: config(`secret: ["${secret}", "old"]`),
    env: wellSet,
    finds: ["error", "WeakSecret", /32 characters/, /./],
  },
]
