/** Access tokens of a provider, which one process renews for all. The session shows the current one. */
import type { AuthConfig } from "@latchkey/core"
import { rotateAccessToken } from "@latchkey/core/jwt"
import tenantidp from "@latchkey/core/providers/tenantidp"
import { MiddlewareAuth } from "@latchkey/express"
import express from "express"
import { adapter } from "./database.ts"

const {
  AUTH_TENANTIDP_ID: clientId = "",
  AUTH_TENANTIDP_SECRET: clientSecret = "",
  AUTH_TENANTIDP_ISSUER: issuer = "",
  HOST: host = "127.0.0.1",
  PORT: port = "3000",
} = process.env

if (!adapter) throw new TypeError("DATABASE_URL is missing")
const provider = { clientId, clientSecret, issuer, leases: adapter, onError: console.error }

const config: AuthConfig = {
  adapter,
  session: { strategy: "jwt" },
  providers: [tenantidp({ client: { token_endpoint_auth_method: "client_secret_post" } })],
  callbacks: {
    // The test controls the expiry: an update of the session expires the access token.
    jwt: (params) =>
      params.trigger === "update"
        ? { ...params.token, expires_at: 1 }
        : rotateAccessToken(params, provider),
    session: ({ session, token }) => ({
      ...session,
      accessToken: token?.["access_token"],
      expiresAt: token?.["expires_at"],
      error: token?.["error"],
    }),
  },
}

const server = express().use("/auth", MiddlewareAuth(config)).listen(Number(port), host)
process.once("SIGTERM", () => server.close(() => process.exit()))
