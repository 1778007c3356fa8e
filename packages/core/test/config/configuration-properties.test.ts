/** Any value in a configuration compiles, and every request gets a response. */
import { type AuthConfig, createAuth } from "@latchkey/core"
import fc from "fast-check"
import { expect, test } from "vitest"
import { propertyRuns } from "../support/property-runs.ts"
import { createMinimalSite, siteOrigin } from "../support/test-site.ts"

/** Options with the names of their members, so that invalid values are generated there as well. */
const optionNames: Partial<Record<keyof AuthConfig, string[]>> = {
  accountLinking: [],
  adapter: ["getUser", "createSession"],
  basePath: [],
  callbacks: ["signIn", "redirect", "session", "jwt"],
  cookies: ["sessionToken", "callbackUrl", "csrfToken", "state", "name", "options", "maxAge"],
  debug: [],
  events: ["signIn", "session"],
  experimental: ["enableWebAuthn"],
  jwt: ["secret", "maxAge", "encode", "decode"],
  logger: ["error", "warn", "debug"],
  pages: ["signIn", "signOut", "error", "verifyRequest", "newUser"],
  providers: [
    "id",
    "name",
    "type",
    "issuer",
    "wellKnown",
    "authorization",
    "token",
    "userinfo",
    "url",
    "params",
    "options",
    "checks",
    "client",
    "clientId",
    "style",
    "credentials",
    "redirectProxyUrl",
  ],
  rateLimit: [],
  redirectProxyOrigins: [],
  redirectProxySecret: [],
  redirectProxyUrl: [],
  secret: [],
  session: ["strategy", "maxAge", "updateAge", "generateSessionToken"],
  skipCSRFCheck: [],
  theme: ["colorScheme", "logo", "brandColor", "buttonText"],
  trustHost: [],
  trustedOrigins: [],
  useSecureCookies: [],
}

const plausibleValue = fc.constantFrom<unknown>(
  "oidc",
  "oauth",
  "email",
  "credentials",
  "webauthn",
  "jwt",
  "database",
  "idp",
  "https://idp.example",
  "/path",
  "secret-".repeat(6),
  true,
  0,
  3600,
  "",
  null,
  undefined,
  () => {
    throw new RangeError("no")
  },
)

/** Generates any value, or one with nearly the right shape. */
function createJunkArbitrary(names: string[]): fc.Arbitrary<unknown> {
  const value = fc.oneof(
    plausibleValue,
    fc.anything({ withDate: true, withMap: true, withSet: true }),
  )
  if (names.length === 0) return fc.oneof(value, fc.array(value))
  const flat = fc.dictionary(fc.constantFrom(...names), value)
  const nested = fc.dictionary(fc.constantFrom(...names), fc.oneof(value, flat))
  return fc.oneof(value, nested, fc.array(nested))
}

/** A provider with a valid id and type, and any other fields. */
const nearlyProvider = fc
  .tuple(
    fc.constantFrom("oidc", "oauth", "email", "credentials", "webauthn"),
    createJunkArbitrary(optionNames.providers ?? []),
  )
  .map(([type, rest]) => ({ ...Object(rest), id: "idp", type }))

const silentLogger = { error: () => {}, warn: () => {}, debug: () => {} }

test.each([
  ...Object.entries(optionNames).map(
    ([name, names]) => [name, createJunkArbitrary(names)] as const,
  ),
  ["providers", fc.array(nearlyProvider, { maxLength: 1 })] as const,
])("%s", async (name, values) => {
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      const { config } = createMinimalSite({ logger: silentLogger })
      const { handle } = createAuth({ ...config, [name]: value })
      for (const action of ["session", "signin"]) {
        const response = await handle(new Request(`${siteOrigin}/auth/${action}`))
        expect(response).toBeInstanceOf(Response)
        if (action === "session" && response.status === 200)
          expect(await response.text()).toBe("null")
      }
    }),
    { numRuns: propertyRuns(100) },
  )
})
