/** Mistakes in the configuration, for which the library refuses every request. */
import {
  type ConfigMistake,
  createConfigFiles,
  credentialsImport,
  nodemailerImport,
  secret,
  sqlImport,
  tenantidpImport,
  validEnvironment,
} from "../support/config-mistake.ts"

const production = ["--production"]
const createProviderConfig = (options: string): ReturnType<typeof createConfigFiles> =>
  createConfigFiles(`providers: [tenantidp({ ${options} })]`, tenantidpImport)

export const configurationMistakes: readonly ConfigMistake[] = [
  {
    mistake: "no secret",
    files: createConfigFiles(""),
    expected: ["error", "MissingSecret", /secret/, /AUTH_SECRET/],
  },
  {
    mistake: "a short secret",
    files: createConfigFiles('secret: "hunter2"'),
    expected: ["error", "WeakSecret", /32 characters/, /secret/],
  },
  {
    mistake: "an untrusted host in production",
    files: createConfigFiles(""),
    env: validEnvironment,
    args: production,
    alsoExpected: ["no-providers"],
    expected: ["error", "UntrustedHost", /trustHost/, /AUTH_TRUST_HOST/],
  },
  {
    mistake: "AUTH_TRUST_HOST=false",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_TRUST_HOST: "false" },
    expected: ["error", "UntrustedHost", /trustHost/, /AUTH_TRUST_HOST/],
  },
  {
    mistake: "a provider without client id",
    files: createProviderConfig('issuer: "https://id.example.com", clientSecret: "s"'),
    env: validEnvironment,
    expected: ["error", "MissingClientId", /tenantidp.*clientId/, /AUTH_TENANTIDP_ID/],
  },
  {
    mistake: "a provider without issuer",
    files: createProviderConfig('clientId: "app", clientSecret: "s"'),
    env: validEnvironment,
    expected: ["error", "InvalidEndpoints", /tenantidp.*issuer/, /AUTH_TENANTIDP_ISSUER/],
  },
  {
    mistake: "an issuer without https",
    files: createProviderConfig(
      'clientId: "app", clientSecret: "s", issuer: "http://id.example.com"',
    ),
    env: validEnvironment,
    expected: ["error", "InvalidEndpoints", /issuer.*https/, /./],
  },
  {
    mistake: "two providers with one id",
    files: createConfigFiles(
      'providers: ["a", "b"].map((clientId) => tenantidp({ clientId, clientSecret: "s", issuer: "https://id.example.com" }))',
      tenantidpImport,
    ),
    env: validEnvironment,
    expected: ["error", "DuplicateProvider", /tenantidp/, /./],
  },
  {
    mistake: "a module instead of a provider",
    files: createConfigFiles(
      "providers: [tenantidp]",
      'import * as tenantidp from "@latchkey/core/providers/tenantidp"',
    ),
    env: validEnvironment,
    expected: ["error", "InvalidProvider", /providers/, /default/],
  },
  {
    mistake: "a class instead of a provider",
    files: createConfigFiles("providers: [class GitHub {}]"),
    env: validEnvironment,
    expected: [
      "error",
      "InvalidProvider",
      /providers\[0\].*Class constructor/,
      /called with `\{\}`/,
    ],
  },
  {
    mistake: "e-mails without a sender",
    files: createConfigFiles(
      'providers: [nodemailer({ server: "smtp://127.0.0.1:1" })], adapter: SqlAdapter(database)',
      `${nodemailerImport}${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["warning", "mail-sender", /no-reply@localhost/, /`from`/],
  },
  {
    mistake: "passkeys of another host",
    files: createConfigFiles(
      'providers: [passkey({ relayingParty: { id: "example.com", origin: "https://example.com" } })], adapter: SqlAdapter(database), experimental: { enableWebAuthn: true }',
      `import passkey from "@latchkey/core/providers/passkey"\n${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["error", "relying-party-differs", /example\.com.*localhost/, /relayingParty/],
  },
  {
    mistake: "e-mail without a database",
    files: createConfigFiles(
      'providers: [nodemailer({ server: "smtp://127.0.0.1:1", from: "a@example.com" })]',
      nodemailerImport,
    ),
    env: validEnvironment,
    expected: ["error", "MissingAdapter", /adapter/, /nodemailer/],
  },
  {
    mistake: "links in e-mails that follow the host of the request, in production",
    files: createConfigFiles(
      'providers: [nodemailer({ server: "smtp://127.0.0.1:1", from: "a@example.com" })], adapter: SqlAdapter(database)',
      `${nodemailerImport}${sqlImport}await migrate(database)`,
    ),
    env: { ...validEnvironment, AUTH_TRUST_HOST: "true" },
    args: production,
    expected: ["error", "email-link-host", /AUTH_URL.*sign in as that user/, /trustHost/],
  },
  {
    mistake: "the origin of a development server, in production",
    files: createConfigFiles('trustedOrigins: ["http://localhost:5173"]'),
    env: { ...validEnvironment, AUTH_TRUST_HOST: "true" },
    args: production,
    alsoExpected: ["no-providers"],
    expected: ["warning", "insecure-origin", /trustedOrigins.*https/, /http/],
  },
  {
    mistake: "database sessions without a database",
    files: createConfigFiles('session: { strategy: "database" }'),
    env: validEnvironment,
    expected: ["error", "MissingAdapter", /adapter/, /Database sessions/],
  },
  {
    mistake: "an adapter that lacks methods",
    files: createConfigFiles("adapter: { getUser: SqlAdapter(database).getUser }", sqlImport),
    env: validEnvironment,
    expected: ["error", "MissingAdapterMethods", /createSession/, /./],
  },
  {
    mistake: "an adapter that was not awaited",
    files: createConfigFiles(
      "adapter: migrate(database).then(() => SqlAdapter(database))",
      sqlImport,
    ),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /adapter/, /await/],
  },
  {
    mistake: "a credentials provider without authorize",
    files: createConfigFiles(
      "providers: [credentials({ credentials: { name: {} } })]",
      credentialsImport,
    ),
    env: validEnvironment,
    expected: ["error", "MissingAuthorize", /credentials.*authorize/, /./],
  },
  {
    mistake: "a credentials provider without fields",
    files: createConfigFiles(
      "providers: [credentials({ authorize: () => null })]",
      credentialsImport,
    ),
    env: validEnvironment,
    expected: ["warning", "attempt-limits", /fields/, /credentials: \{ email/],
  },
  {
    mistake: "a base path without its slash",
    files: createConfigFiles('basePath: "auth"'),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /basePath/, /"\/auth"/],
  },
  {
    mistake: "a lifetime in words",
    files: createConfigFiles('session: { maxAge: "30d" }'),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /session\.maxAge/, /seconds/],
  },
  {
    mistake: "a strategy that does not exist",
    files: createConfigFiles('session: { strategy: "cookie" }'),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /session\.strategy/, /jwt/],
  },
  {
    mistake: "a page without its slash",
    files: createConfigFiles('pages: { signIn: "login" }'),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /pages\.signIn.*slash.*"login"/, /\/login/],
  },
  {
    mistake: "a callback that is not a function",
    files: createConfigFiles("callbacks: { session: true }"),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /callbacks\.session/, /function/],
  },
  {
    mistake: "a misspelled option",
    files: createConfigFiles("callback: { session: ({ session }) => session }"),
    env: validEnvironment,
    expected: ["warning", "UnknownOption", /callback/, /callbacks/],
  },
  {
    mistake: "a __Host- cookie with a domain",
    files: createConfigFiles(
      'cookies: { csrfToken: { name: "__Host-csrf", options: { domain: "example.com" } } }',
    ),
    env: { ...validEnvironment, AUTH_TRUST_HOST: "true" },
    args: ["--url", "https://example.com"],
    expected: ["error", "InvalidOption", /csrfToken/, /domain/],
  },
  {
    mistake: "a redirect proxy without a scheme",
    files: createConfigFiles('redirectProxyUrl: "example.com/auth"'),
    env: validEnvironment,
    expected: ["error", "InvalidOption", /redirectProxyUrl.*URL/, /scheme/],
  },
  {
    mistake: "a secret from an example",
    files: createConfigFiles(""),
    env: { AUTH_SECRET: "changeme-changeme-changeme-changeme" },
    expected: ["error", "WeakSecret", /secret/, /./],
  },
  {
    mistake: "a passkey provider while passkeys are off",
    files: createConfigFiles(
      "providers: [passkey()], adapter: SqlAdapter(database)",
      `import passkey from "@latchkey/core/providers/passkey"\n${sqlImport}await migrate(database)`,
    ),
    env: validEnvironment,
    expected: ["error", "ExperimentalFeatureNotEnabled", /enableWebAuthn/, /passkey/],
  },
  {
    mistake: "one good and one short secret",
    files: createConfigFiles(`secret: ["${secret}", "old"]`),
    env: validEnvironment,
    expected: ["error", "WeakSecret", /32 characters/, /./],
  },
]
