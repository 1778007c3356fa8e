/** A site that calls everything that a configuration can name: each run of the matrix has its own. */
import { Auth, type AuthConfig } from "@latchkey/core"
import type { Adapter, LeaseStore } from "@latchkey/core/adapters"
import { decode, encode, type JWTEncodeParams, rotateAccessToken } from "@latchkey/core/jwt"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import type { JWT } from "@latchkey/core/types"
import { SqlAdapter } from "@latchkey/sql"
import { createScriptedProvider, createTestBrowser, type ScriptedProvider } from "@latchkey/testing"
import { createMemoryLog } from "../../support/memory-log.ts"
import { openMigratedDatabase } from "../../support/migrated-database.ts"
import { testAppSecret } from "../../support/test-app.ts"
import { OutgoingCalls } from "./outgoing-calls.ts"
import type { VirtualTime } from "./virtual-time.ts"

/**
 * How sessions are kept. `codec` is strategy `jwt` with the application's own codec, `plain` strategy `database` with an
 * adapter that has only the methods of Auth.js.
 */
export type SiteKind = "database" | "jwt" | "codec" | "plain"

export const password = "open sesame 1234"
/** Stored users, who sign in with the password. Only the address of `ada` is also known to the providers. */
export const carl = { id: "carl", name: "Carl", email: "carl@example.com" }

type TestConfig = Omit<AuthConfig, "raw">

export async function createFaultSite(kind: SiteKind, time: VirtualTime) {
  const calls = new OutgoingCalls((name) => {
    // Nothing waits for a logger, and counters are waited for as long as a pause, which ends by itself. The timeout that
    // ended would be that of another call.
    if (!/^logger\.|^adapter\.(count|reset)Attempt/.test(name)) void time.endTimeout()
  })
  const database = openMigratedDatabase()
  const adapter = SqlAdapter(database)
  const {
    createUserWithAccount,
    updateAccount,
    deleteSessions,
    countAttempt,
    resetAttempts,
    comparesKeysExactly,
    ...authjsAdapter
  } = adapter
  const log = createMemoryLog()
  const mailbox: { url: string; token: string }[] = []
  const oidc = await createScriptedProvider({ id: "oidc", issuer: "https://oidc.example" })
  const oauth = await createScriptedProvider({ id: "oauth", issuer: "https://oauth.example" })
  const providers = [
    ...createOAuthProviders(oidc, oauth),
    ...createEmailProviders(mailbox),
    credentials({
      credentials: { name: {}, password: { type: "password" } },
      authorize: async ({ name, password: typed }) =>
        typed === password ? adapter.getUser(String(name)) : null,
    }),
    passkey({
      getUserInfo: async ({ fields }) =>
        fields["name"] ? { exists: false, user: { name: fields["name"] } } : null,
      getRelayingParty: () => ({ id: "app.example", name: "App", origin: "https://app.example" }),
    }),
  ]
  const wrappedAdapter: Adapter = calls.wrap(kind === "plain" ? authjsAdapter : adapter, "adapter")
  const usesDatabase = kind === "database" || kind === "plain"
  const onError = calls.wrapFunction(() => undefined, "rotation.onError")
  const rotation = { ...oidc.asOptions(), fetch: calls.wrapFetch(oidc.fetch), onError }
  const rotate = (params: Parameters<typeof rotateAccessToken>[0]) =>
    rotateAccessToken(params, { ...rotation, leases: wrappedAdapter as LeaseStore })
  const rest = {
    providers,
    ...(kind === "codec" && {
      jwt: { encode: (params: JWTEncodeParams) => encode(params), decode },
    }),
    session: {
      strategy: usesDatabase ? ("database" as const) : ("jwt" as const),
      updateAge: 0,
      generateSessionToken: () => `${crypto.randomUUID()}${crypto.randomUUID()}`,
    },
    callbacks: createCallbacks(rotate),
    events: createEvents(),
    rateLimit: () => true,
    logger: log.logger,
  }
  const config: TestConfig = {
    ...calls.wrap(rest, ""),
    adapter: wrappedAdapter,
    // Sites with one secret would count attempts together.
    secret: `${testAppSecret} ${crypto.randomUUID()}`,
    trustHost: true,
    debug: true,
    experimental: { enableWebAuthn: true },
  }
  const responses: Response[] = []
  const app = async (request: Request) => {
    const response = await Auth(request, config)
    responses.push(response.clone())
    return response
  }
  return {
    time,
    calls,
    adapter,
    database,
    log,
    mailbox,
    oidc,
    oauth,
    /** Every response, in order. */
    responses,
    openBrowser: () => createTestBrowser(app),
  }
}

export type FaultSite = Awaited<ReturnType<typeof createFaultSite>>

function createOAuthProviders(oidc: ScriptedProvider, oauth: ScriptedProvider) {
  const profile = (claims: { sub: string; name: string; email: string }) => ({
    id: claims.sub,
    name: claims.name,
    email: claims.email,
  })
  const functions = {
    profile,
    emailVerified: () => true,
    account: (tokens: { access_token?: string }) => ({ access_token: tokens.access_token }),
    token: { conform: () => undefined },
  }
  return [
    oidc.asOidc({ ...functions, idToken: false }),
    oidc.asOidc({
      ...functions,
      id: "form-post",
      authorization: { params: { response_mode: "form_post" } },
    }),
    oauth.asOAuth({
      ...functions,
      token: { url: oauth.endpoints.token, conform: () => undefined },
      userinfo: { url: oauth.endpoints.userinfo, conform: () => undefined },
    }),
  ] as unknown as TestConfig["providers"]
}

function createEmailProviders(mailbox: { url: string; token: string }[]) {
  const base = {
    type: "email" as const,
    sendVerificationRequest: async ({ url, token }: { url: string; token: string }) =>
      void mailbox.push({ url, token }),
  }
  return [
    { ...base, id: "email", name: "E-mail" },
    {
      ...base,
      id: "code",
      name: "Code",
      generateVerificationToken: () =>
        `${100_000 + (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0)}`,
      normalizeIdentifier: (address: string) => address.trim().toLowerCase(),
    },
  ]
}

type Rotate = (params: Parameters<typeof rotateAccessToken>[0]) => Promise<JWT>

/** Sessions that began at the provider `oidc` keep its tokens. */
function createCallbacks(rotate: Rotate): Required<NonNullable<TestConfig["callbacks"]>> {
  return {
    signIn: () => true,
    redirect: ({ url, baseUrl }) => new URL(url, baseUrl).href,
    session: ({ session }) => session,
    async jwt({ token, account, session }) {
      if (account?.provider === "oidc") return rotate({ token, account })
      if (token["refresh_token"]) return rotate({ token })
      return session ? { ...token, note: session.note } : token
    },
  }
}

function createEvents(): Required<NonNullable<TestConfig["events"]>> {
  const ignore = () => undefined
  return {
    signIn: ignore,
    signOut: ignore,
    createUser: ignore,
    updateUser: ignore,
    linkAccount: ignore,
    unlinkAccount: ignore,
    deleteUser: ignore,
    addFactor: ignore,
    removeFactor: ignore,
    security: ignore,
    session: ignore,
  }
}
