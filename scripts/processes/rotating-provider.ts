/**
 * An identity provider whose refresh tokens can be used once: reuse revokes all tokens of the sign-in (RFC 9700 section
 * 4.14.2). It is `oidc-provider`, and accepts every user.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createTestBrowser } from "@latchkey/testing"
import { type Configuration, type KoaContextWithOIDC, Provider } from "oidc-provider"
import { loadTenantKeys } from "../../demo/tenant/keys.ts"
import { createMemoryAdapter } from "../../demo/tenant/memory-adapter.ts"

export interface RotatingProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly count: RefreshCounts
  /** Signs a user in. Returns the redirect URL to the application. */
  approve(authorizationUrl: URL): Promise<URL>
}

/** The use of refresh tokens. */
interface RefreshCounts {
  readonly granted: number
  readonly refused: number
  /** The sign-ins that were revoked because a refresh token was reused. */
  readonly revoked: number
}

const minute = 60
const hour = 3600

const client = { id: "example", secret: "known-to-the-example-and-to-the-provider" }

/** @param redirectUri the redirect URI of the application */
export async function startRotatingProvider(redirectUri: string): Promise<RotatingProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  // A listening TCP server has an address with a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, createConfiguration(redirectUri))
  const count = countRefreshes(provider)
  const callback = provider.callback()
  server.on("request", (req, res) => {
    if (req.url?.startsWith("/interaction/")) void approveInteraction(provider, req, res)
    else void callback(req, res)
  })
  return {
    issuer,
    clientId: client.id,
    clientSecret: client.secret,
    count,
    approve: (url) => approveAuthorization(issuer, url),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function createConfiguration(redirectUri: string): Configuration {
  const { jwks, cookieKeys } = loadTenantKeys({
    getPath: (name) => name,
    readOrCreate: (_name, make) => make(),
  })
  return {
    adapter: createMemoryAdapter(),
    jwks,
    cookies: { keys: cookieKeys },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    routes: { authorization: "/oauth2/authorize", token: "/oauth2/token", jwks: "/oauth2/jwks" },
    scopes: ["openid", "offline_access", "profile", "email"],
    claims: { openid: ["sub"], profile: ["name"], email: ["email"] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => {
      const claims = { sub, name: sub, email: `${sub}@example.com` }
      return { accountId: sub, claims: () => claims }
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      Grant: hour,
      IdToken: hour,
      Interaction: minute,
      RefreshToken: hour,
      Session: hour,
    },
  }
}

function countRefreshes(provider: Provider): RefreshCounts {
  const count = { granted: 0, refused: 0, revoked: 0 }
  const isRefresh = ({ oidc }: KoaContextWithOIDC) =>
    oidc.params?.["grant_type"] === "refresh_token"
  provider.on("grant.success", (ctx) => {
    if (isRefresh(ctx)) count.granted += 1
  })
  provider.on("grant.error", (ctx) => {
    if (isRefresh(ctx)) count.refused += 1
  })
  provider.on("grant.revoked", () => {
    count.revoked += 1
  })
  return count
}

/** Signs in and consents without asking the user. */
async function approveInteraction(
  provider: Provider,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { params } = await provider.interactionDetails(req, res)
  const grant = new provider.Grant({ accountId: "ada", clientId: client.id })
  grant.addOIDCScope(String(params["scope"]))
  const result = { login: { accountId: "ada" }, consent: { grantId: await grant.save() } }
  await provider.interactionFinished(req, res, result)
}

async function approveAuthorization(issuer: string, url: URL): Promise<URL> {
  const ada = createTestBrowser(issuer)
  let response = await ada.open(url)
  for (;;) {
    const next = new URL(response.headers.get("location") ?? "", issuer)
    if (next.origin !== issuer) return next
    response = await ada.followRedirect(response)
  }
}
