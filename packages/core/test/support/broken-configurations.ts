/** Configurations that cannot work. */
import tenantidp from "@latchkey/core/providers/tenantidp"
import { passwords, type SiteConfig, siteSecret } from "./front-door.ts"

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
export const untyped = (value: object) => value as unknown as Partial<SiteConfig>

/** A part of the configuration, the code that is logged for it, and what the message names. */
type BrokenConfiguration = [title: string, Partial<SiteConfig>, code: string, named: string]

export const brokenConfigurations: BrokenConfiguration[] = [
  ["an untrusted host", { trustHost: false }, "UntrustedHost", "trustHost"],
  ["a host that is trusted in words", untyped({ trustHost: "yes" }), "UntrustedHost", "trustHost"],
  ["an empty secret", { secret: "" }, "MissingSecret", "secret"],
  ["an empty list of secrets", { secret: [] }, "MissingSecret", "secret"],
  ["a list of empty secrets", { secret: ["", ""] }, "MissingSecret", "secret"],
  ["a secret of 31 characters", { secret: "s".repeat(31) }, "WeakSecret", "32"],
  ["a short old secret", { secret: [siteSecret, "short"] }, "WeakSecret", "32"],
  ["a short secret for tokens", { jwt: { secret: "short" } }, "WeakSecret", "32"],
  ["no secret for tokens", { jwt: { secret: "" } }, "MissingSecret", "secret"],
  ["a secret that is a number", untyped({ secret: 12 }), "TypeError", "`secret`"],
  [
    "a secret that is missing in a list",
    untyped({ secret: [undefined, siteSecret] }),
    "TypeError",
    "`secret`",
  ],
  ...(["authorization", "token", "userinfo"] as const).map(
    (name): BrokenConfiguration => [
      `neither an issuer nor the endpoint ${name}`,
      untyped({ providers: [{ ...oauth, [name]: undefined }] }),
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
    untyped({ providers: [{ ...passwords(), authorize: undefined, options: {} }] }),
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
    "TypeError",
    "`idp`",
  ],
  [
    "a provider without an id",
    untyped({ providers: [{ ...oidcProvider, id: undefined }] }),
    "TypeError",
    "`id`",
  ],
  ["an id with a slash", { providers: [{ ...oidcProvider, id: "a/b" }] }, "TypeError", "`id`"],
  [
    "an id that means none",
    { providers: [{ ...oidcProvider, id: "undefined" }] },
    "TypeError",
    "`id`",
  ],
  [
    "a provider of no known type",
    untyped({ providers: [{ ...oidcProvider, type: "saml" }] }),
    "TypeError",
    "`type`",
  ],
  ["a provider that is none", untyped({ providers: [null] }), "TypeError", "`providers`"],
  [
    "providers that are no array",
    untyped({ providers: { idp: oidcProvider } }),
    "TypeError",
    "`providers`",
  ],
  ["a base path that is no text", untyped({ basePath: 42 }), "TypeError", "`basePath`"],
  ["a session that ends at once", { session: { maxAge: 0 } }, "TypeError", "`session.maxAge`"],
  [
    "a session that never ends",
    { session: { maxAge: Number.POSITIVE_INFINITY } },
    "TypeError",
    "`session.maxAge`",
  ],
  [
    "a session whose end is a text",
    untyped({ session: { maxAge: "1d" } }),
    "TypeError",
    "`session.maxAge`",
  ],
  ["a negative `updateAge`", { session: { updateAge: -1 } }, "TypeError", "`session.updateAge`"],
  [
    "an unknown strategy",
    untyped({ session: { strategy: "cookie" } }),
    "TypeError",
    "`session.strategy`",
  ],
  [
    "a lifetime of tokens that is no number",
    { jwt: { maxAge: Number.NaN } },
    "TypeError",
    "`jwt.maxAge`",
  ],
  ["a page that is no address", { pages: { error: "oops" } }, "TypeError", "`pages.error`"],
  [
    "a callback that is no function",
    untyped({ callbacks: { signIn: true } }),
    "TypeError",
    "`callbacks.signIn`",
  ],
  [
    "a callback that is null",
    untyped({ callbacks: { jwt: null } }),
    "TypeError",
    "`callbacks.jwt`",
  ],
  [
    "an event that is no function",
    untyped({ events: { signOut: "log" } }),
    "TypeError",
    "`events.signOut`",
  ],
  ["a rate limit that is no function", untyped({ rateLimit: 5 }), "TypeError", "`rateLimit`"],
  [
    "a maker of session tokens that is none",
    untyped({ session: { generateSessionToken: "x" } }),
    "TypeError",
    "`session.generateSessionToken`",
  ],
  ["half a codec", untyped({ jwt: { encode: "x" } }), "TypeError", "`jwt.encode`"],
  [
    "a redirect proxy that is no URL",
    { redirectProxyUrl: "/auth" },
    "TypeError",
    "`redirectProxyUrl`",
  ],
  [
    "a redirect proxy of a provider that is no URL",
    { providers: [{ ...oidcProvider, redirectProxyUrl: "/auth" }] },
    "TypeError",
    "`redirectProxyUrl` of provider `idp`",
  ],
  [
    "a redirect proxy without a scheme",
    { redirectProxyUrl: "localhost:3000" },
    "TypeError",
    "`redirectProxyUrl`",
  ],
  [
    "origins that are no list",
    untyped({ redirectProxyOrigins: "https://a.example" }),
    "TypeError",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin without a scheme",
    { redirectProxyOrigins: ["*.a.example"] },
    "TypeError",
    "`redirectProxyOrigins`",
  ],
  [
    "an origin with a path",
    { redirectProxyOrigins: ["https://a.example/x"] },
    "TypeError",
    "`redirectProxyOrigins`",
  ],
  ["any origin", { redirectProxyOrigins: ["https://*"] }, "TypeError", "`redirectProxyOrigins`"],
  [
    "a cookie that cannot be named",
    { cookies: { state: { name: "a b" } } },
    "TypeError",
    "`cookies.state`",
  ],
  [
    "a cookie with half a second to live",
    { cookies: { state: { options: { maxAge: 0.5 } } } },
    "TypeError",
    "`cookies.state`",
  ],
]
