/** Mistakes in URLs, variables and cookies. */
import {
  type ConfigMistake,
  createConfigFiles,
  secret,
  tenantidpImport,
  validEnvironment,
} from "../support/config-mistake.ts"

const production = ["--production"]
const trustedEnvironment = { ...validEnvironment, AUTH_TRUST_HOST: "true" }
const createProviderConfig = (options: string): ReturnType<typeof createConfigFiles> =>
  createConfigFiles(
    `providers: [tenantidp({ issuer: "https://id.example.com", ${options} })]`,
    tenantidpImport,
  )

export const publicUrlMistakes: readonly ConfigMistake[] = [
  {
    mistake: "AUTH_URL without a scheme",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "example.com" },
    expected: ["error", "auth-url-unusable", /AUTH_URL.*example\.com/, /=https:\/\/example\.com\./],
  },
  {
    mistake: "AUTH_URL of this machine, without a scheme",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "localhost:3300" },
    expected: [
      "error",
      "auth-url-unusable",
      /received localhost:3300/,
      /=http:\/\/localhost:3300\./,
    ],
  },
  {
    mistake: "AUTH_URL of another host",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "https://old.example.com" },
    args: ["--url", "https://new.example.com"],
    expected: [
      "error",
      "auth-url-elsewhere",
      /new\.example\.com.*old\.example\.com/,
      /Set AUTH_URL/,
    ],
  },
  {
    mistake: "AUTH_URL of localhost in production",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "http://localhost:3000" },
    args: production,
    alsoExpected: ["no-providers"],
    expected: ["error", "auth-url-local", /localhost:3000/, /public URL/],
  },
  {
    mistake: "no provider in production",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "https://example.com" },
    args: production,
    expected: ["warning", "no-providers", /nobody can sign in/, /`providers`/],
  },
  {
    mistake: "http in production",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "http://example.com" },
    args: production,
    alsoExpected: ["no-providers"],
    expected: ["error", "auth-url-insecure", /unencrypted/, /https/],
  },
  {
    mistake: "a path in AUTH_URL that is not the base path",
    files: createConfigFiles('basePath: "/auth"'),
    env: { ...validEnvironment, AUTH_URL: "https://example.com/api/auth" },
    expected: ["warning", "base-path-differs", /\/api\/auth.*\/auth/, /same/],
  },
  {
    mistake: "AUTH_URL of the sign-in page",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "https://example.com/auth/signin" },
    expected: ["error", "auth-url-page", /\/auth\/signin/, /https:\/\/example\.com\/auth\.$/],
  },
  {
    mistake: "AUTH_URL with a query",
    files: createConfigFiles(""),
    env: { ...validEnvironment, AUTH_URL: "https://example.com/auth?x" },
    expected: ["error", "auth-url-page", /\?x/, /https:\/\/example\.com\/auth\.$/],
  },
  {
    mistake: "AUTH_TRUST_HOST together with AUTH_URL",
    files: createConfigFiles(""),
    env: { ...trustedEnvironment, AUTH_URL: "https://example.com" },
    expected: ["warning", "trust-host-idle", /AUTH_TRUST_HOST/, /Remove/],
  },
  {
    mistake: "a secret under the name of another library",
    files: createConfigFiles(""),
    env: { NEXTAUTH_SECRET: secret },
    expected: [
      "error",
      "MissingSecret",
      /secret/,
      /NEXTAUTH_SECRET is set.* AUTH_SECRET: rename it/,
    ],
  },
  {
    mistake: "a client id under another name",
    files: createProviderConfig('clientSecret: "s"'),
    env: { ...validEnvironment, AUTH_TENANTIDP_CLIENT_ID: "spa" },
    expected: ["error", "MissingClientId", /clientId/, /AUTH_TENANTIDP_ID: rename it/],
  },
  {
    mistake: "a client secret without the prefix",
    files: createProviderConfig('clientId: "app"'),
    env: { ...validEnvironment, TENANTIDP_CLIENT_SECRET: "shh" },
    expected: ["warning", "IncompleteProvider", /secret/, /AUTH_TENANTIDP_SECRET: rename it/],
  },
  {
    mistake: "a misspelled variable",
    files: createProviderConfig('clientSecret: "s"'),
    env: { ...validEnvironment, AUTH_TENNANTIDP_ID: "app" },
    alsoExpected: ["MissingClientId"],
    expected: ["warning", "variable-unread", /AUTH_TENNANTIDP_ID.*AUTH_TENANTIDP_ID/, /Rename/],
  },
  {
    mistake: "quotes that are part of a secret",
    files: createConfigFiles(""),
    env: { AUTH_SECRET: `"${secret}"` },
    expected: ["warning", "variable-quoted", /AUTH_SECRET/, /quotes/],
  },
  {
    mistake: "a rotated secret together with one in the configuration",
    files: createConfigFiles(`secret: "${secret}"`),
    env: { AUTH_SECRET_1: `${secret}-new` },
    expected: ["warning", "secret-not-rotated", /AUTH_SECRET_1/, /Remove `secret`/],
  },
  {
    mistake: "a cookie with the prefix __Secure- at http",
    files: createConfigFiles('cookies: { sessionToken: { name: "__Secure-sid" } }'),
    env: validEnvironment,
    expected: ["error", "cookies-refused", /sessionToken.*__Secure-sid/, /in production only/],
  },
  {
    mistake: "a cookie for a domain that does not contain the host",
    files: createConfigFiles('cookies: { sessionToken: { options: { domain: ".example.org" } } }'),
    env: trustedEnvironment,
    args: ["--url", "https://app.example.com"],
    expected: ["error", "cookies-refused", /\.example\.org.*app\.example\.com/, /remove it/],
  },
  {
    mistake: "a cookie across sites without https",
    files: createConfigFiles('cookies: { sessionToken: { options: { sameSite: "none" } } }'),
    env: validEnvironment,
    expected: ["error", "cookies-refused", /across sites/, /lax/],
  },
  {
    mistake: "insecure cookies at https",
    files: createConfigFiles("useSecureCookies: false"),
    env: trustedEnvironment,
    args: ["--url", "https://example.com"],
    expected: ["warning", "cookies-insecure", /unencrypted/, /Remove the option/],
  },
  {
    mistake: "secure cookies at http",
    files: createConfigFiles("useSecureCookies: true"),
    env: validEnvironment,
    args: ["--url", "http://intranet.example.com"],
    expected: ["error", "cookies-refused", /useSecureCookies/, /https/],
  },
  {
    mistake: "a session cookie that scripts can read",
    files: createConfigFiles("cookies: { sessionToken: { options: { httpOnly: false } } }"),
    env: validEnvironment,
    expected: ["warning", "cookies-readable", /injected script/, /httpOnly/],
  },
]
