/** Any number of OpenID Connect providers that respond at once, in process. They share one key. */
import { generateKeyPairSync, sign } from "node:crypto"
import { decodeNonce } from "../../provider.ts"
import { testUser } from "../../test-user.ts"

const clientId = "bench"

/** Returns the configuration of a provider with its own issuer. */
export function createProviderConfig(index: number) {
  return {
    id: `company-${index}`,
    name: `Company ${index}`,
    type: "oidc" as const,
    issuer: `https://company-${index}.example.com`,
    clientId,
    clientSecret: "a client secret of the benchmark",
    checks: ["pkce", "state"] as ("pkce" | "state")[],
  }
}

export interface TestProviders {
  /** Reaches these providers only. */
  readonly fetch: typeof fetch
  /** Signs the ID token of a sign-in, so that its callback is measured without that. */
  signInAdvance(authorizationUrl: string): void
}

export function createTestProviders(): TestProviders {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const key = { ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }
  const idTokens = new Map<string, string>()
  const createIdToken = (iss: string, nonce: string | null): string => {
    const now = Math.floor(Date.now() / 1000)
    const { id: sub, name, email } = testUser
    const claims = { iss, aud: clientId, iat: now, exp: now + 3600, sub, name, email, nonce }
    const text = [{ alg: "RS256", kid: "1" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".")
    return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`
  }
  return {
    async fetch(input, init) {
      const { origin, pathname } = new URL(input instanceof Request ? input.url : input)
      if (pathname === "/jwks") return Response.json({ keys: [key] })
      if (pathname !== "/token") return Response.json(createMetadata(origin))
      const body = input instanceof Request ? await input.text() : init?.body
      const nonce = decodeNonce(new URLSearchParams(String(body)).get("code")) ?? ""
      const idToken = idTokens.get(nonce)
      idTokens.delete(nonce)
      const token = { access_token: "an access token", token_type: "Bearer", expires_in: 3600 }
      return Response.json({ ...token, id_token: idToken })
    },
    signInAdvance(authorizationUrl) {
      const { origin, searchParams } = new URL(authorizationUrl)
      const nonce = searchParams.get("nonce")
      if (nonce !== null) idTokens.set(nonce, createIdToken(origin, nonce))
    },
  }
}

function createMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  }
}
