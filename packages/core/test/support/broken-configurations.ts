/** Configurations that cannot work. */
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
const webauthn = { id: "webauthn", name: "W", type: "webauthn" as const }

/** What an application in plain JavaScript may write. */
export const asUntypedConfig = (value: object) => value as unknown as Partial<TestSiteConfig>

/** A part of the configuration, the code that is logged for it, and what the message names. */
type BrokenConfiguration = [title: string, Partial<TestSiteConfig>, code: string, named: string]

export const brokenConfigurations: BrokenConfiguration[] = [
  ["an untrusted host", { trustHost: false }, "UntrustedHost", "trustHost"],
  [
    "a host that is trusted in words",
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
    "an authorization endpoint that is a script",
    { providers: [{ ...oauth, authorization: "javascript:x" }] },
    "InvalidEndpoints",
    "authorization",
  ],
  [
    "an endpoint that is no URL",
    { providers: [{ ...oauth, userinfo: "/userinfo" }] },
    "InvalidEndpoints",
    "userinfo",
  ],
  [
    "a provider without a client id",
    { providers: [{ ...oidcProvider, clientId: "" }] },
    "InvalidEndpoints",
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
  ["e-mail without an adapter", { providers: [emailProvider] }, "MissingAdapter", "email"],
  [
    "database sessions without an adapter",
    { session: { strategy: "database" } },
    "MissingAdapter",
    "adapter",
  ],
  ["passkeys", { providers: [webauthn] }, "ExperimentalFeatureNotEnabled", "enableWebAuthn"],
  [
    "two providers with one id",
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
    "an id that means none",
    { providers: [{ ...oidcProvider, id: "undefined" }] },
    "InvalidProvider",
    "`id`",
  ],
  [
    "a provider of no known type",
    asUntypedConfig({ providers: [{ ...oidcProvider, type: "saml" }] }),
    "InvalidProvider",
    "`type`",
  ],
  [
    "a provider that is none",
    asUntypedConfig({ providers: [null] }),
    "InvalidProvider",
    "`providers[0]`",
  ],
  [
    "providers that are no array",
    asUntypedConfig({ providers: { idp: oidcProvider } }),
    "InvalidOption",
    "`providers`",
  ],
  ["a base path that is no text", asUntypedConfig({ basePath: 42 }), "InvalidOption", "`basePath`"],
  ["a session that ends at once", { session: { maxAge: 0 } }, "InvalidOption", "`session.maxAge`"],
  [
    "a session that never ends",
    { session: { maxAge: Number.POSITIVE_INFINITY } },
    "InvalidOption",
    "`session.maxAge`",
  ],
  [
    "a session whose end is a text",
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
    "a lifetime of tokens that is no number",
    { jwt: { maxAge: Number.NaN } },
    "InvalidOption",
    "`jwt.maxAge`",
  ],
  ["a page that is no address", { pages: { error: "oops" } }, "InvalidOption", "`pages.error`"],
  [
    "a callback that is no function",
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
    "an event that is no function",
    asUntypedConfig({ events: { signOut: "log" } }),
    "InvalidOption",
    "`events.signOut`",
  ],
  [
    "a rate limit that is no function",
    asUntypedConfig({ rateLimit: 5 }),
    "InvalidOption",
    "`rateLimit`",
  ],
  [
    "a maker of session tokens that is none",
    asUntypedConfig({ session: { generateSessionToken: "x" } }),
    "InvalidOption",
    "`session.generateSessionToken`",
  ],
  ["half a codec", asUntypedConfig({ jwt: { encode: "x" } }), "InvalidOption", "`jwt.encode`"],
  [
    "a redirect proxy that is no URL",
    { redirectProxyUrl: "/auth" },
    "InvalidOption",
    "`redirectProxyUrl`",
  ],
  [
    "a redirect proxy of a provider that is no URL",
    { providers: [{ ...oidcProvider, redirectProxyUrl: "/auth" }] },
    "InvalidProvider",
    "`redirectProxyUrl` of provider `idp`",
  ],
  [
    "a redirect proxy without a scheme",
    { redirectProxyUrl: "localhost:3000" },
    "InvalidOption",
    "`redirectProxyUrl`",
  ],
  [
    "origins that are no list",
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
    "a cookie that cannot be named",
    { cookies: { state: { name: "a b" } } },
    "InvalidOption",
    "`cookies.state`",
  ],
  [
    "a cookie with half a second to live",
    { cookies: { state: { options: { maxAge: 0.5 } } } },
    "InvalidOption",
    "`cookies.state`",
  ],
  [
    "a secret that repeats itself",
    { secret: "abc-".repeat(12) },
    "WeakSecret",
    "a short repeated pattern",
  ],
  [
    "a secret of few characters",
    { secret: `${"ab".repeat(9)}${"ba".repeat(9)}` },
    "WeakSecret",
    "few different characters",
  ],
  [
    "a secret that was to be changed",
    { secret: "please-change-me-before-this-goes-live" },
    "WeakSecret",
    "text of an example",
  ],
  [
    "linking by a word",
    asUntypedConfig({ accountLinking: "always" }),
    "InvalidOption",
    "`accountLinking`",
  ],
  [
    "secure cookies in words",
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
  ["events that are a list", asUntypedConfig({ events: [] }), "InvalidOption", "`events`"],
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
    "domain: app.example",
  ],
  [
    "a __Secure- cookie that is not",
    { cookies: { sessionToken: { options: { secure: false } } } },
    "InvalidOption",
    "secure: false",
  ],
  [
    "a cookie across sites that is not Secure",
    { cookies: { sessionToken: { name: "sid", options: { sameSite: "none", secure: false } } } },
    "InvalidOption",
    "sameSite: none",
  ],
  [
    "one name for two cookies",
    { cookies: { csrfToken: { name: "mine" }, sessionToken: { name: "mine" } } },
    "InvalidOption",
    "`mine` for two",
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
    "a provider that is not there",
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
    "a client id under another spelling",
    asUntypedConfig({ providers: [{ ...oidcProvider, clientId: undefined, client_id: "c" }] }),
    "InvalidEndpoints",
    "`client_id`, which is not an option",
  ],
]
