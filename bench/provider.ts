/** An OpenID Connect provider that responds immediately, in process, with prepared responses. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto"
import { testUser } from "./test-user.ts"

const issuer = "https://id.example.com"

/** The client registration of a library. */
export const providerClient = {
  id: "bench",
  secret: "a client secret of the benchmark",
  issuer,
  discovery: `${issuer}/.well-known/openid-configuration`,
  authorization: `${issuer}/authorize`,
} as const

const metadata = {
  issuer,
  authorization_endpoint: providerClient.authorization,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
  token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
  code_challenge_methods_supported: ["S256"],
}

const claims = {
  sub: testUser.id,
  name: testUser.name,
  email: testUser.email,
  email_verified: true,
  picture: testUser.image,
}

/** The recorded requests of the provider, and its switches. */
export interface Provider {
  readonly fetch: typeof fetch
  /** Returns the requests by path since the last call. */
  consumeRequestCounts(): Readonly<Record<string, number>>
  /** Signs ID tokens with an unpublished key from now on. */
  setForgedSignatures(isForged: boolean): void
}

/** Signs ID tokens before they are fetched, so that callbacks with a nonce are not measured together with it. */
const signIdTokenInAdvance = new Set<(nonce: string) => void>()

/** Starts the provider: keys, documents, and an ID token for requests without a nonce. */
export function startProvider(): Provider {
  const published = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const unknown = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const jwk = {
    ...published.publicKey.export({ format: "jwk" }),
    kid: "1",
    alg: "RS256",
    use: "sig",
  }
  const genuine = createTokenIssuer(published.privateKey)
  const forged = createTokenIssuer(unknown.privateKey)
  const requests = new Map<string, number>()
  let tokens = genuine
  signIdTokenInAdvance.add(genuine.prepare)
  const createResponse = (path: string, body: unknown): object => {
    if (path === "/.well-known/openid-configuration") return metadata
    if (path === "/jwks") return { keys: [jwk] }
    if (path === "/userinfo") return claims
    if (path === "/token")
      return tokens.issue(decodeNonce(new URLSearchParams(String(body)).get("code")))
    throw new TypeError(`The provider has nothing at ${path}`)
  }
  return {
    async fetch(input, init) {
      const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
      if (origin !== issuer) throw new TypeError(`${origin} is not the provider`)
      requests.set(pathname, (requests.get(pathname) ?? 0) + 1)
      const body =
        input instanceof Request && pathname === "/token" ? await input.text() : init?.body
      return Response.json(createResponse(pathname, body))
    },
    consumeRequestCounts() {
      const counts = Object.fromEntries(requests)
      requests.clear()
      return counts
    },
    setForgedSignatures(isForged) {
      tokens = isForged ? forged : genuine
    },
  }
}

interface TokenIssuer {
  /** Signs the ID token of a callback that follows. */
  prepare(nonce: string): void
  /** Creates a token response. */
  issue(nonce: string | undefined): object
}

/** Creates token responses. Their ID tokens last for an hour; the one without a nonce is signed once. */
function createTokenIssuer(key: KeyObject): TokenIssuer {
  const idTokens = new Map<string | undefined, string>()
  return {
    prepare: (nonce) => void idTokens.set(nonce, createIdToken(nonce, key)),
    issue(nonce) {
      const idToken = idTokens.get(nonce) ?? createIdToken(nonce, key)
      if (nonce === undefined) idTokens.set(nonce, idToken)
      else idTokens.delete(nonce)
      return {
        access_token: "an access token of the benchmark",
        token_type: "Bearer",
        expires_in: 3600,
        scope: "openid profile email",
        id_token: idToken,
      }
    },
  }
}

function createIdToken(nonce: string | undefined, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1000)
  const payload = {
    iss: issuer,
    aud: providerClient.id,
    iat: now,
    exp: now + 3600,
    ...claims,
    ...(nonce === undefined ? {} : { nonce }),
  }
  const text = [{ alg: "RS256", kid: "1" }, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".")
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`
}

/**
 * Returns the redirect URL after the user agreed. The code contains everything that the token endpoint needs,
 * so that the simulated browser can run in another process.
 */
export function approveAuthorization(authorizationUrl: string): string {
  const authorizationParams = new URL(authorizationUrl).searchParams
  const nonce = authorizationParams.get("nonce")
  if (nonce !== null) for (const signIdToken of signIdTokenInAdvance) signIdToken(nonce)
  const callbackUrl = new URL(authorizationParams.get("redirect_uri") ?? "")
  callbackUrl.searchParams.set("code", Buffer.from(JSON.stringify({ nonce })).toString("base64url"))
  const state = authorizationParams.get("state")
  if (state !== null) callbackUrl.searchParams.set("state", state)
  return callbackUrl.href
}

/** Returns the nonce of an authorization code of {@link approveAuthorization}. */
export function decodeNonce(code: string | null): string | undefined {
  const payload: { nonce: string | null } = JSON.parse(
    Buffer.from(code ?? "", "base64url").toString("utf8"),
  )
  return payload.nonce ?? undefined
}
