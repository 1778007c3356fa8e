/** Mistakes in addresses, variables and cookies. */
import { config, type Seed, secret, tenantidp, wellSet } from "../support/seed.ts"

const production = ["--production"]
const trusted = { ...wellSet, AUTH_TRUST_HOST: "true" }
const login = (options: string): ReturnType<typeof config> =>
  config(`providers: [tenantidp({ issuer: "https://id.example.com", ${options} })]`, tenantidp)

export const addressSeeds: readonly Seed[] = [
  {
    mistake: "AUTH_URL without a scheme",
    files: config(""),
    env: { ...wellSet, AUTH_URL: "example.com" },
    finds: ["error", "auth-url-unusable", /AUTH_URL/, /https:\/\/example\.com/],
  },
  {
    mistake: "AUTH_URL of another host",
    files: config(""),
    env: { ...wellSet, AUTH_URL: "https://old.example.com" },
    args: ["--url", "https://new.example.com"],
    finds: ["error", "auth-url-elsewhere", /new\.example\.com.*old\.example\.com/, /Set AUTH_URL/],
  },
  {
    mistake: "AUTH_URL of the developer's machine in production",
    files: config(""),
    env: { ...wellSet, AUTH_URL: "http://localhost:3000" },
    args: production,
    finds: ["error", "auth-url-local", /localhost:3000/, /public address/],
  },
  {
    mistake: "http in production",
    files: config(""),
    env: { ...wellSet, AUTH_URL: "http://example.com" },
    args: production,
    finds: ["error", "auth-url-insecure", /in the clear/, /https/],
  },
  {
    mistake: "a path in AUTH_URL that is not the base path",
    files: config('basePath: "/auth"'),
    env: { ...wellSet, AUTH_URL: "https://example.com/api/auth" },
    finds: ["warning", "base-path-differs", /\/api\/auth.*\/auth/, /same/],
  },
  {
    mistake: "AUTH_TRUST_HOST beside AUTH_URL",
    files: config(""),
    env: { ...trusted, AUTH_URL: "https://example.com" },
    finds: ["warning", "trust-host-idle", /AUTH_TRUST_HOST/, /Remove/],
  },
  {
    mistake: "a secret under the name of another library",
    files: config(""),
    env: { NEXTAUTH_SECRET: secret },
    also: ["MissingSecret"],
    finds: ["warning", "variable-unread", /NEXTAUTH_SECRET/, /AUTH_SECRET/],
  },
  {
    mistake: "a client id under another name",
    files: login('clientSecret: "s"'),
    env: { ...wellSet, AUTH_TENANTIDP_CLIENT_ID: "spa" },
    also: ["InvalidEndpoints"],
    finds: ["warning", "variable-unread", /AUTH_TENANTIDP_ID/, /Rename/],
  },
  {
    mistake: "a client secret without the prefix",
    files: login('clientId: "app"'),
    env: { ...wellSet, TENANTIDP_CLIENT_SECRET: "shh" },
    also: ["IncompleteProvider"],
    finds: ["warning", "variable-unread", /AUTH_TENANTIDP_SECRET/, /Rename/],
  },
  {
    mistake: "quotes around a secret that the platform does not take away",
    files: config(""),
    env: { AUTH_SECRET: `"${secret}"` },
    finds: ["warning", "variable-quoted", /AUTH_SECRET/, /quotes/],
  },
  {
    mistake: "a rotated secret beside one in the configuration",
    files: config(`secret: "${secret}"`),
    env: { AUTH_SECRET_1: `${secret}-new` },
    finds: ["warning", "secret-not-rotated", /AUTH_SECRET_1/, /Leave `secret` out/],
  },
  {
    mistake: "a cookie for https alone, at http",
    files: config('cookies: { sessionToken: { name: "__Secure-sid" } }'),
    env: wellSet,
    finds: ["error", "cookies-refused", /sessionToken.*__Secure-sid/, /in production only/],
  },
  {
    mistake: "a cookie for a domain that the address is not in",
    files: config('cookies: { sessionToken: { options: { domain: ".example.org" } } }'),
    env: trusted,
    args: ["--url", "https://app.example.com"],
    finds: ["error", "cookies-refused", /\.example\.org.*app\.example\.com/, /leave it out/],
  },
  {
    mistake: "a cookie across sites without https",
    files: config('cookies: { sessionToken: { options: { sameSite: "none" } } }'),
    env: wellSet,
    finds: ["error", "cookies-refused", /across sites/, /lax/],
  },
  {
    mistake: "insecure cookies at https",
    files: config("useSecureCookies: false"),
    env: trusted,
    args: ["--url", "https://example.com"],
    finds: ["warning", "cookies-insecure", /in the clear/, /Leave the option out/],
  },
  {
    mistake: "secure cookies at http",
    files: config("useSecureCookies: true"),
    env: wellSet,
    args: ["--url", "http://intranet.example.com"],
    finds: ["error", "cookies-refused", /useSecureCookies/, /https/],
  },
  {
    mistake: "a session cookie that scripts can read",
    files: config("cookies: { sessionToken: { options: { httpOnly: false } } }"),
    env: wellSet,
    finds: ["warning", "cookies-readable", /injected script/, /httpOnly/],
  },
]
