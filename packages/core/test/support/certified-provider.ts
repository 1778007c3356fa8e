/** The identity provider `oidc-provider`, certified by the OpenID Foundation, on a port of this machine. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createTestBrowser } from "@latchkey/testing"
import { exportJWK, generateKeyPair } from "jose"
import Provider, { type Configuration } from "oidc-provider"

export interface CertifiedProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Ada signs in there and agrees; gives the URL that the provider sends her browser to. */
  approve(authorizationUrl: URL): Promise<URL>
}

const client = { clientId: "latchkey", clientSecret: "the-secret-of-a-client-of-a-real-provider" }
const ada = {
  sub: "ada",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  picture: "https://idp.example/ada.png",
}

async function createProviderConfig(redirectUri: string): Promise<Configuration> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true })
  return {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: "RS256", use: "sig", kid: "k1" }] },
    cookies: { keys: ["a key for the cookies of the provider"] },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ada }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    ttl: {
      AccessToken: 3600,
      IdToken: 3600,
      RefreshToken: 86_400,
      Session: 3600,
      Grant: 86_400,
      Interaction: 600,
    },
  }
}

/** Submits the provider's forms for Ada: who she is, and her consent. */
async function completeInteraction(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (prompt.name === "login") {
    return provider.interactionFinished(request, response, { login: { accountId: ada.sub } })
  }
  const accountId = session?.accountId ?? ada.sub
  const grant = new provider.Grant({ accountId, clientId: client.clientId })
  grant.addOIDCScope(String(params["scope"]))
  const consent = { grantId: await grant.save() }
  return provider.interactionFinished(request, response, { consent })
}

/** Starts the provider for a client with this redirect URI. */
export async function certifiedProvider(redirectUri: string): Promise<CertifiedProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // A TCP server that listens has an address with a port.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, await createProviderConfig(redirectUri))
  const providerCallback = provider.callback()
  server.on("request", (request, response) => {
    const isInteraction = request.url?.startsWith("/interaction/") === true
    Promise.resolve(
      isInteraction
        ? completeInteraction(provider, request, response)
        : providerCallback(request, response),
    ).catch(() => response.destroy())
  })
  return {
    issuer,
    ...client,
    async approve(authorizationUrl) {
      const providerBrowser = createTestBrowser(issuer)
      let page = await providerBrowser.open(authorizationUrl)
      for (let step = 0; step < 10; step += 1) {
        const target = new URL(page.headers.get("location") ?? "", issuer)
        if (target.origin !== issuer) return target
        page = await providerBrowser.followRedirect(page)
      }
      throw new TypeError(`The provider did not send Ada back: ${page.status} ${await page.text()}`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
