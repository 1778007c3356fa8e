/** Invalid configurations and providers. */
import passkey from "@latchkey/core/providers/passkey"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { passwordProvider, type TestSiteConfig, testSiteSecret } from "./test-site.ts"

const oauth = {
  id: "idp",
  name: "IdP",
  type: "oauth" as const,
  clientId: "c",
  authorization: "https://idp.example/authorize",
  token: "https://idp.example/token",
  userinfo: "https://idp.example/userinfo",
}
export const oidcProvider = {
  id: "idp",
  name: "IdP",
  type: "oidc" as const,
  clientId: "c",
  issuer: "https://idp.example",
}
export const emailProvider = {
  id: "email",
  name: "E",
  type: "email" as const,
  sendVerificationRequest: () => {},
}

/** Casts a configuration that only JavaScript applications can write. */
export const asUntypedConfig = (value: object) => value as unknown as Partial<TestSiteConfig>

/** Invalid options, the logged code, and a part of the message. */
type BrokenConfiguration = [title: string, Partial<TestSiteConfig>, code: string, named: string]

export const brokenConfigurations: BrokenConfiguration[] = [
  ["an untrusted host", { trustHost: false }, "UntrustedHost", "trustHost"],
  [
    "`trustHost` that is a string",
    asUntypedConfig({ trustHost: "yes" }),
    "UntrustedHost",
    "trustHost",
  ],
  ["an empty secret", { secret: "" }, "MissingSecret", "secret"],
  ["an empty list of secrets", { secret: [] }, "MissingSecret", "secret"],
  ["a list of empty secrets", { secret: ["", ""] }, "MissingSecret", "secret"],
  ["a secret of 31 characters", { secret: "s".repeat(31) }, "WeakSecret", "32"],
  ["a short old secret", { secret: [testSiteSecret, "short"] }, "WeakSecret", "32"],
  ["a short secret for tokens", { jwt: { secret: "short" } }, "WeakSecret", "32"],
  ["no secret for tokens", { jwt: { secret: "" } }, "MissingSecret", "secret"],
  ["a secret that is a number", asUntypedConfig({ secret: 12 }), "InvalidOption", "`secret`"],
  [
    "a secret that is missing in a list",
    asUntypedConfig({ secret: [undefined, testSiteSecret] }),
    "InvalidOption",
    "`secret`",
  ],
  ["e-mail without an adapter", { providers: [emailProvider] }, "MissingAdapter", "email"],
  [
    "database sessions without an adapter",
    { session: { strategy: "database" } },
    "MissingAdapter",
    "adapter",
  ],
  ["passkeys", { providers: [passkey] }, "ExperimentalFeatureNotEnabled", "enableWebAuthn"],
  [
    "providers that are not an array",
    asUntypedConfig({ providers: { idp: oidcProvider } }),
    "InvalidOption",
    "`providers`",
  ],
  [
    "a base path that is not a string",
    asUntypedConfig({ basePath: 42 }),
    "InvalidOption",
    "`basePath`",
  ],
  [
    "a session that expires at once",
    { session: { maxAge: 0 } },
    "InvalidOption",
    "`session.maxAge`",
  ],
  [
    "a session that never expires",
    { session: { maxAge: Number.POSITIVE_INFINITY } },
    "InvalidOption",
    "`session.maxAge`",
  ],
  [
    "a session with a string as `maxAge`",
    asUntypedConfig({ session: { maxAge: "1d" } }),
    "InvalidOption",
    "`session.maxAge`",
  ],
  [
    "a negative `updateAge`",
    { session: { updateAge: -1 } },
    "InvalidOption",
    "`session.updateAge`",
  ],
  [
    "an unknown strategy",
    asUntypedConfig({ session: { strategy: "cookie" } }),
    "InvalidOption",
    "`session.strategy`",
  ],
  [
    "a lifetime of tokens that is not a number",
    { jwt: { maxAge: Number.NaN } },
    "InvalidOption",
    "`jwt.maxAge`",
  ],
  ["a page that is not a URL", { pages: { error: "oops" } }, "InvalidOption", "`pages.error`"],
  [
    "a callback that is not a function",
    asUntypedConfig({ callbacks: { signIn: true } }),
    "InvalidOption",
    "`callbacks.signIn`",
  ],
  [
    "a callback that is null",
    asUntypedConfig({ callbacks: { jwt: null } }),
    "InvalidOption",
    "`callbacks.jwt`",
  ],
  [
    "an event handler that is not a function",
    asUntypedConfig({ events: { signOut: "log" } }),
    "InvalidOption",
    "`events.signOut`",
  ],
  [
    "a rate limit that is not a function",
    asUntypedConfig({ rateLimit: 5 }),
    "InvalidOption",
    "`rateLimit`",
  ],
  [
    "`generateSessionToken` that is not a function",
    asUntypedConfig({ session: { generateSessionToken: "x" } }),
    "InvalidOption",
    "`session.generateSessionToken`",
  ],
  [
    "`jwt.encode` that is not a function",
    asUntypedConfig({ jwt: { encode: "x" } }),
    "InvalidOption",
    "`jwt.encode`",
  ],
  [
    "a redirect proxy that is not a URL",
    { redirectProxyUrl: "/auth" },
    "InvalidOption",
    "`redirectProxyUrl`",
  ],
  [
    "a redirect proxy without a scheme",
    { redirectProxyUrl: "localhost:3000" },
    "InvalidOption",
    "`redirectProxyUrl`",
  ],
  [
    "origins that are not an array",
    asUntypedConfig({ redirectProxyOrigins: "https://a.example" }),
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin without a scheme",
    { redirectProxyOrigins: ["*.a.example"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin with a path",
    { redirectProxyOrigins: ["https://a.example/x"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "any origin",
    { redirectProxyOrigins: ["https://*"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "all hosts of a top-level domain",
    { redirectProxyOrigins: ["https://*.example"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin with a capital, which would match nothing",
    { redirectProxyOrigins: ["https://A.example"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin with the default port, which would match nothing",
    { redirectProxyOrigins: ["https://a.example:443"] },
    "InvalidOption",
    "`redirectProxyOrigins`",
  ],
  [
    "trusted origins that are not an array",
    asUntypedConfig({ trustedOrigins: "https://a.example" }),
    "InvalidOption",
    "`trustedOrigins`",
  ],
  [
    "a trusted origin with a path",
    { trustedOrigins: ["https://a.example", "https://b.example/x"] },
    "InvalidOption",
    "`trustedOrigins`",
  ],
  [
    "a cookie with an invalid name",
    { cookies: { state: { name: "a b" } } },
    "InvalidOption",
    "`cookies.state`",
  ],
  [
    "a cookie with a fractional `maxAge`",
    { cookies: { state: { options: { maxAge: 0.5 } } } },
    "InvalidOption",
    "`cookies.state`",
  ],
  [
    "a secret with a repeated pattern",
    { secret: "abc-".repeat(12) },
    "WeakSecret",
    "a short repeated pattern",
  ],
  [
    "a secret with few different characters",
    { secret: `${"ab".repeat(9)}${"ba".repeat(9)}` },
    "WeakSecret",
    "few different characters",
  ],
  [
    "a secret that is a placeholder",
    { secret: "please-change-me-before-this-goes-live" },
    "WeakSecret",
    "text of an example",
  ],
  [
    "an unknown value of `accountLinking`",
    asUntypedConfig({ accountLinking: "always" }),
    "InvalidOption",
    "`accountLinking`",
  ],
  [
    "`useSecureCookies` that is a string",
    asUntypedConfig({ useSecureCookies: "false" }),
    "InvalidOption",
    "`useSecureCookies`",
  ],
  [
    "callbacks that are a function",
    asUntypedConfig({ callbacks: () => {} }),
    "InvalidOption",
    "`callbacks`",
  ],
  ["events that are an array", asUntypedConfig({ events: [] }), "InvalidOption", "`events`"],
  [
    "an adapter that was not called",
    asUntypedConfig({ adapter: () => ({}), session: { strategy: "jwt" } }),
    "InvalidOption",
    "Call it",
  ],
  [
    "an adapter that was not awaited",
    asUntypedConfig({ adapter: Promise.resolve({}), session: { strategy: "jwt" } }),
    "InvalidOption",
    "await",
  ],
  [
    "a page that is the built-in one",
    { pages: { signIn: "/auth/signin" } },
    "InvalidOption",
    "built-in",
  ],
  [
    "a __Host- cookie with a domain",
    { cookies: { csrfToken: { options: { domain: "app.example" } } } },
    "InvalidOption",
    'domain: "app.example"',
  ],
  [
    "a __Secure- cookie that is not Secure",
    { cookies: { sessionToken: { options: { secure: false } } } },
    "InvalidOption",
    "secure: false",
  ],
  [
    "a cross-site cookie that is not Secure",
    { cookies: { sessionToken: { name: "sid", options: { sameSite: "none", secure: false } } } },
    "InvalidOption",
    'sameSite: "none"',
  ],
  [
    "a cookie whose `sameSite` is not a word",
    asUntypedConfig({ cookies: { csrfToken: { options: { sameSite: "none; Partitioned" } } } }),
    "InvalidOption",
    "`priority` or `sameSite` of",
  ],
  [
    "two cookies with the same name",
    { cookies: { csrfToken: { name: "mine" }, sessionToken: { name: "mine" } } },
    "InvalidOption",
    "`mine` for two",
  ],
]

/** Configurations with invalid providers, which are left out. */
export const brokenProviders: BrokenConfiguration[] = [
  ...(["authorization", "token", "userinfo"] as const).map(
    (name): BrokenConfiguration => [
      `neither an issuer nor the endpoint ${name}`,
      asUntypedConfig({ providers: [{ ...oauth, [name]: undefined }] }),
      "InvalidEndpoints",
      name,
    ],
  ),
  [
    "an endpoint without TLS",
    { providers: [{ ...oauth, token: "http://idp.example/t" }] },
    "InvalidEndpoints",
    "token",
  ],
  [
    "an issuer without TLS",
    { providers: [{ ...oidcProvider, issuer: "http://idp.example" }] },
    "InvalidEndpoints",
    "issuer",
  ],
  [
    "an authorization endpoint with the scheme javascript",
    { providers: [{ ...oauth, authorization: "javascript:x" }] },
    "InvalidEndpoints",
    "authorization",
  ],
  [
    "an endpoint that is not a URL",
    { providers: [{ ...oauth, userinfo: "/userinfo" }] },
    "InvalidEndpoints",
    "userinfo",
  ],
  [
    "a provider without a client id",
    { providers: [{ ...oidcProvider, clientId: "" }] },
    "MissingClientId",
    "clientId",
  ],
  [
    "an OpenID Connect provider without an issuer",
    { providers: [tenantidp({ clientId: "c" })] },
    "InvalidEndpoints",
    "issuer",
  ],
  [
    "a metadata document without TLS",
    { providers: [{ ...oidcProvider, wellKnown: "http://idp.example/m" }] },
    "InvalidEndpoints",
    "wellKnown",
  ],
  [
    "credentials without `authorize`",
    asUntypedConfig({ providers: [{ ...passwordProvider(), authorize: undefined, options: {} }] }),
    "MissingAuthorize",
    "authorize",
  ],
  [
    "two providers with the same id",
    { providers: [oidcProvider, { ...oauth, id: "idp" }] },
    "DuplicateProvider",
    "`idp`",
  ],
  [
    "a provider without an id",
    asUntypedConfig({ providers: [{ ...oidcProvider, id: undefined }] }),
    "InvalidProvider",
    "`id`",
  ],
  [
    "an id with a slash",
    { providers: [{ ...oidcProvider, id: "a/b" }] },
    "InvalidProvider",
    "`id`",
  ],
  [
    "the id `undefined`",
    { providers: [{ ...oidcProvider, id: "undefined" }] },
    "InvalidProvider",
    "`id`",
  ],
  [
    "a provider of unknown type",
    asUntypedConfig({ providers: [{ ...oidcProvider, type: "saml" }] }),
    "InvalidProvider",
    "`type`",
  ],
  [
    "a provider that is null",
    asUntypedConfig({ providers: [null] }),
    "InvalidProvider",
    "`providers[0]`",
  ],
  [
    "a redirect proxy of a provider that is not a URL",
    { providers: [{ ...oidcProvider, redirectProxyUrl: "/auth" }] },
    "InvalidProvider",
    "`redirectProxyUrl` of provider `idp`",
  ],
  [
    "a whole module",
    asUntypedConfig({ providers: [{ default: () => oidcProvider, __esModule: true }] }),
    "InvalidProvider",
    "default",
  ],
  [
    "a provider that was not awaited",
    asUntypedConfig({ providers: [Promise.resolve(oidcProvider)] }),
    "InvalidProvider",
    "a promise",
  ],
  [
    "the name of a provider",
    asUntypedConfig({ providers: ["github"] }),
    "InvalidProvider",
    "providers/github",
  ],
  [
    "providers within providers",
    asUntypedConfig({ providers: [[oidcProvider]] }),
    "InvalidProvider",
    "...",
  ],
  [
    "a provider that is false",
    asUntypedConfig({ providers: [false] }),
    "InvalidProvider",
    "Leave out",
  ],
  [
    "a provider function that fails",
    asUntypedConfig({
      providers: [
        () => {
          throw new TypeError("process is not defined")
        },
      ],
    }),
    "InvalidProvider",
    "process is not defined",
  ],
  [
    "a client id with another spelling",
    asUntypedConfig({ providers: [{ ...oidcProvider, clientId: undefined, client_id: "c" }] }),
    "MissingClientId",
    "`client_id`, which is not an option",
  ],
]
