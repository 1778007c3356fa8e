/** An `oidc-provider` with every kind of logout, for applications under test. */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import Provider, { type Configuration } from "oidc-provider"

export interface LogoutProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Where the session of a browser is ended at the provider, which tells the application. */
  readonly logoutUrl: string
  /** How often somebody had to sign in there: not while they have a session. */
  readonly loginCount: () => number
  /** The responses of the application to logout tokens: a status, or an error. */
  readonly logoutResponses: readonly string[]
}

const client = { clientId: "logout", clientSecret: "the-secret-of-a-client-that-logs-out" }

/** The URL of the library at the application, such as `http://localhost:3000/auth`. */
function createConfiguration(authUrl: string, issuer: string): Configuration {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const logoutUri = `${authUrl}/logout/tenantidp`
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${authUrl}/callback/tenantidp`],
        post_logout_redirect_uris: [logoutUri],
        backchannel_logout_uri: logoutUri,
        backchannel_logout_session_required: true,
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    jwks: {
      keys: [{ ...privateKey.export({ format: "jwk" }), alg: "RS256", use: "sig", kid: "k1" }],
    },
    cookies: { keys: ["a key for the cookies of the provider"] },
    // The paths that Latchkey's tenant provider expects.
    routes: { token: "/oauth2/token", userinfo: "/oauth2/userinfo" },
    claims: { openid: ["sub"], profile: ["name"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    scopes: ["openid", "offline_access", "profile", "email"],
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, name: "Ada", email: "ada@example.com", email_verified: true }),
    }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // The page also has the frame of a provider that logs out through the front channel.
        logoutSource(ctx, form) {
          const sid = ctx.oidc.session?.sidFor(client.clientId) ?? ""
          const query = new URLSearchParams({ iss: issuer, sid })
          const frame = ctx.query["frame"] ? `<iframe src="${logoutUri}?${query}"></iframe>` : ""
          ctx.body = `<!DOCTYPE html><title>Provider</title>${form}${frame}
<button type="submit" form="op.logoutForm" name="logout" value="yes">Leave the provider</button>`
        },
        postLogoutSuccessSource(ctx) {
          ctx.body = "<!DOCTYPE html><title>Provider</title><h1>Left the provider</h1>"
        },
      },
    },
    pkce: { required: () => true },
    // Without its dispatcher, which refuses to send anything to this machine.
    fetch: (url, options) =>
      globalThis.fetch(url, Object.assign(options ?? {}, { dispatcher: undefined })),
    ttl: { AccessToken: 3600, IdToken: 3600, Session: 3600, Grant: 3600, Interaction: 600 },
  }
}

/** Answers for the user: who they are, and their consent. */
async function completeInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  onLogin: () => void,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === "login") {
    onLogin()
    return provider.interactionFinished(request, response, { login: { accountId: "ada" } })
  }
  const accountId = session?.accountId ?? "ada"
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(String(params["scope"]))
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent })
}

/** Starts the provider for an application. */
export async function startLogoutProvider(authUrl: string): Promise<LogoutProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, createConfiguration(authUrl, issuer))
  const logoutResponses: string[] = []
  provider.on("backchannel.success", () => logoutResponses.push("success"))
  provider.on("backchannel.error", (_, error) => logoutResponses.push(error.message))
  let loginCount = 0
  const providerCallback = provider.callback()
  server.on("request", (request, response) => {
    const isInteraction = request.url?.startsWith("/interaction/") === true
    Promise.resolve(
      isInteraction
        ? completeInteraction(provider, request, response, () => {
            loginCount += 1
          })
        : providerCallback(request, response),
    ).catch(() => response.destroy())
  })
  return {
    issuer,
    ...client,
    logoutUrl: `${issuer}/session/end`,
    loginCount: () => loginCount,
    logoutResponses,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
