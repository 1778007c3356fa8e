/** The configuration of `oidc-provider` as the tenant provider. */
import type { Configuration } from "oidc-provider"
import type { OAuthClient } from "../shared/client.ts"
import type { TenantKeys } from "./keys.ts"
import { createMemoryAdapter } from "./memory-adapter.ts"
import { errorPage } from "./pages.ts"
import type { TenantUserStore } from "./users.ts"

const minute = 60
const hour = 3600

export function createConfiguration(
  client: OAuthClient,
  users: TenantUserStore,
  { jwks, cookieKeys }: TenantKeys,
): Configuration {
  return {
    adapter: createMemoryAdapter(),
    jwks,
    cookies: { keys: cookieKeys },
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        client_name: client.name,
        redirect_uris: [client.redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
    ],
    // The paths that Latchkey's tenant provider expects.
    routes: {
      authorization: "/oauth2/authorize",
      token: "/oauth2/token",
      userinfo: "/oauth2/userinfo",
      jwks: "/oauth2/jwks",
    },
    responseTypes: ["code"],
    extraParams: ["tenantId"],
    pkce: { required: () => true },
    scopes: ["openid", "offline_access", "profile", "email"],
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    // The ID token contains the claims, so the application does not need to request them.
    conformIdTokenClaims: false,
    async findAccount(_ctx, sub) {
      const user = users.find(sub)
      if (!user) return undefined
      const { name, email } = user
      return { accountId: sub, claims: async () => ({ sub, name, email, email_verified: true }) }
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // Sessions are not stored (see memory-adapter.ts).
    expiresWithSession: () => false,
    issueRefreshToken: async () => true,
    clientBasedCORS: () => false,
    renderError(ctx, { error, error_description }) {
      ctx.type = "html"
      ctx.body = errorPage(client, error, error_description).text
    },
    ttl: {
      AccessToken: hour,
      AuthorizationCode: minute,
      Grant: 24 * hour,
      IdToken: hour,
      Interaction: 15 * minute,
      RefreshToken: 24 * hour,
      Session: hour,
    },
  }
}
