/** Simulates a provider of the catalogue: the scripted provider at the endpoints of that provider. */
import type { AuthConfig } from "@latchkey/core"
import { customFetch } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import {
  createScriptedProvider,
  createTestBrowser,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { createOAuthApp, type OAuthApp } from "../../support/oauth-app.ts"
import type { ProviderFixture, ProviderProfile } from "./provider-fixture.ts"

/** An application with the provider, and a browser. */
export interface ProviderApp {
  readonly provider: ScriptedProvider
  readonly app: OAuthApp
  readonly alice: TestBrowser
  /** The URLs that the application requested. */
  readonly calledUrls: readonly string[]
  /** Starts a sign-in and returns the authorization request. */
  beginSignIn(): Promise<URL>
  /** Approves the request and returns the response of the application. `posted` is added to the callback. */
  approve(authorizationUrl: URL, posted?: Readonly<Record<string, string>>): Promise<Response>
  signIn(): Promise<Response>
}

/** Creates the application, with a user at the provider. */
export async function createProviderApp(
  fixture: ProviderFixture,
  profile: ProviderProfile = fixture.fullProfile,
  options: object = {},
  changes: Partial<AuthConfig> = {},
): Promise<ProviderApp> {
  const provider = await createFixtureProvider(fixture, profile)
  const calledUrls: string[] = []
  const { clientId, clientSecret } = provider
  const providerOptions: object = {
    clientId,
    clientSecret,
    ...fixture.options,
    [customFetch]: createProviderFetch(provider, fixture, profile, calledUrls),
    ...options,
  }
  const app = await createOAuthApp(fixture.factory(providerOptions) as Provider, changes)
  const alice = createTestBrowser(app.app)
  const beginSignIn = () => alice.startSignIn(fixture.id)
  const approve = async (
    authorizationUrl: URL,
    extraParams: Readonly<Record<string, string>> = {},
  ) => {
    const scriptedUrl = new URL(provider.endpoints.authorize)
    scriptedUrl.search = `${renameParams(authorizationUrl.searchParams, fixture)}`
    const comeback = provider.approve(scriptedUrl)
    comeback.parameters.delete("iss") // no provider of the catalogue sends it
    for (const [name, value] of Object.entries(extraParams)) comeback.parameters.set(name, value)
    return alice.open(comeback)
  }
  const signIn = async () => approve(await beginSignIn())
  return { provider, app, alice, calledUrls, beginSignIn, approve, signIn }
}

async function createFixtureProvider(
  fixture: ProviderFixture,
  profile: ProviderProfile,
): Promise<ScriptedProvider> {
  const { issuer, endpoints, supportsPkce, clientAuth } = fixture
  const provider = await createScriptedProvider({
    id: fixture.id,
    dialect: issuer ? "oidc" : "social",
    authMethods: [clientAuth],
    user: { sub: "ada", ...(issuer === undefined ? {} : profile.claims) },
    ...(issuer === undefined ? {} : { issuer }),
  })
  provider.injectFaults({
    ...(fixture.idToken && { idToken: fixture.idToken }),
    token: (honest) => ({ ...(fixture.tokenResponse?.(honest) ?? honest), ...profile.token }),
    userinfo: () => profile.claims ?? {},
    discovery: ({ authorization_response_iss_parameter_supported: _, ...honest }) => ({
      ...honest,
      authorization_endpoint: endpoints.authorize,
      token_endpoint: endpoints.token,
      userinfo_endpoint: endpoints.userinfo,
      jwks_uri: endpoints.jwks,
      code_challenge_methods_supported: supportsPkce ? ["plain", "S256"] : undefined,
    }),
  })
  return provider
}

/** Serves only the endpoints of the provider. */
function createProviderFetch(
  provider: ScriptedProvider,
  fixture: ProviderFixture,
  profile: ProviderProfile,
  calledUrls: string[],
): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    calledUrls.push(url)
    if (profile.otherEndpoints && url in profile.otherEndpoints)
      return respondFromOtherEndpoint(provider, profile, url, init)
    const { authorize: _, ...reachable } = fixture.endpoints
    const [role] = Object.entries(reachable).find(([, address]) => address === url) ?? []
    if (role === undefined) throw new TypeError(`nobody answers at ${url}`)
    const scriptedUrl = provider.endpoints[role as keyof typeof reachable]
    if (role !== "token") return provider.fetch(scriptedUrl, init)
    const body = renameParams(new URLSearchParams(String(init?.body)), fixture)
    return provider.fetch(scriptedUrl, { ...init, body })
  }
}

/** Serves another endpoint, which requires the access token in the header or the URL. */
function respondFromOtherEndpoint(
  provider: ScriptedProvider,
  { otherEndpoints, token: ownTokens }: ProviderProfile,
  url: string,
  init?: RequestInit,
): Response {
  const issued = [...provider.secrets, ownTokens?.["access_token"]]
  const header = new Headers(init?.headers).get("authorization") ?? ""
  const presented = [header.replace(/^(?:Bearer|OAuth) /, ""), url.split("/").at(-1)]
  if (!presented.some((token) => token && issued.includes(token)))
    return Response.json({ error: "invalid_token" }, { status: 401 })
  const body = otherEndpoints?.[url]
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body))
  return typeof body === "number" ? new Response(null, { status: body }) : Response.json(body)
}

function renameParams(
  parameters: URLSearchParams,
  { renamedParams = {} }: ProviderFixture,
): URLSearchParams {
  const names = [...parameters].map(([name, value]): [string, string] => [
    renamedParams[name] ?? name,
    value,
  ])
  return new URLSearchParams(names)
}
