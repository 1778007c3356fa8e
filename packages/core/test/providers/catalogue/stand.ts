/** Plays a provider of the catalogue: the scripted provider, at that provider's own addresses. */
import type { AuthConfig } from "@latchkey/core"
import { customFetch } from "@latchkey/core"
import type { Provider } from "@latchkey/core/providers"
import { type Browser, browser, type ScriptedProvider, scriptedProvider } from "@latchkey/testing"
import { type OAuthApp, oauthApp } from "../../support/oauth-app.ts"
import type { Dialect, Person } from "./dialect.ts"

/** An application with the provider, and a person in front of it. */
export interface Stand {
  readonly provider: ScriptedProvider
  readonly at: OAuthApp
  readonly alice: Browser
  /** The URLs that the application called. */
  readonly called: readonly string[]
  /** The authorization request of a sign-in that begins. */
  begin(): Promise<URL>
  /** The person approves: gives the answer of the application. `posted` is added to the way back. */
  approve(begun: URL, posted?: Readonly<Record<string, string>>): Promise<Response>
  signIn(): Promise<Response>
}

/** Sets the stand up, with a person at the provider. */
export async function stand(
  dialect: Dialect,
  person: Person = dialect.full,
  options: object = {},
  changes: Partial<AuthConfig> = {},
): Promise<Stand> {
  const provider = await playing(dialect, person)
  const called: string[] = []
  const { clientId, clientSecret } = provider
  const written: object = {
    clientId,
    clientSecret,
    ...dialect.options,
    [customFetch]: reaching(provider, dialect, person, called),
    ...options,
  }
  const at = await oauthApp(dialect.factory(written) as Provider, changes)
  const alice = browser(at.app)
  const begin = () => alice.begin(dialect.id)
  const approve = async (begun: URL, posted: Readonly<Record<string, string>> = {}) => {
    const there = new URL(provider.endpoints.authorize)
    there.search = `${translated(begun.searchParams, dialect)}`
    const comeback = provider.approve(there)
    comeback.parameters.delete("iss") // nobody of the catalogue announces it
    for (const [name, value] of Object.entries(posted)) comeback.parameters.set(name, value)
    return alice.open(comeback)
  }
  const signIn = async () => approve(await begin())
  return { provider, at, alice, called, begin, approve, signIn }
}

async function playing(dialect: Dialect, person: Person): Promise<ScriptedProvider> {
  const { issuer, endpoints, announcesPkce, clientAuth } = dialect
  const provider = await scriptedProvider({
    id: dialect.id,
    dialect: issuer ? "oidc" : "social",
    authMethods: [clientAuth],
    user: { sub: "ada", ...(issuer === undefined ? {} : person.claims) },
    ...(issuer === undefined ? {} : { issuer }),
  })
  provider.misbehave({
    token: (honest) => ({ ...(dialect.token?.(honest) ?? honest), ...person.token }),
    userinfo: () => person.claims ?? {},
    discovery: ({ authorization_response_iss_parameter_supported: _, ...honest }) => ({
      ...honest,
      authorization_endpoint: endpoints.authorize,
      token_endpoint: endpoints.token,
      userinfo_endpoint: endpoints.userinfo,
      jwks_uri: endpoints.jwks,
      code_challenge_methods_supported: announcesPkce ? ["plain", "S256"] : undefined,
    }),
  })
  return provider
}

/** The provider's addresses and no others. */
function reaching(
  provider: ScriptedProvider,
  dialect: Dialect,
  person: Person,
  called: string[],
): typeof fetch {
  return async (input, init) => {
    const url = String(input)
    called.push(url)
    if (person.also && url in person.also) return further(provider, person.also[url], init)
    const { authorize: _, ...reachable } = dialect.endpoints
    const [role] = Object.entries(reachable).find(([, address]) => address === url) ?? []
    if (role === undefined) throw new TypeError(`nobody answers at ${url}`)
    const there = provider.endpoints[role as keyof typeof reachable]
    if (role !== "token") return provider.fetch(there, init)
    const body = translated(new URLSearchParams(String(init?.body)), dialect)
    return provider.fetch(there, { ...init, body })
  }
}

/** An endpoint beside those of the protocol: it opens for the access token, or for the ID token in the form. */
function further(provider: ScriptedProvider, answer: unknown, init?: RequestInit): Response {
  const bearer = new Headers(init?.headers).get("authorization")?.replace("Bearer ", "")
  const token = bearer ?? new URLSearchParams(String(init?.body)).get("id_token") ?? ""
  const isKnown = provider.secrets.includes(token) || token === opaqueIdToken
  if (!isKnown) return Response.json({ error: "invalid_token" }, { status: 401 })
  return typeof answer === "number" ? new Response(null, { status: answer }) : Response.json(answer)
}

/** An ID token that only the provider can read. */
export const opaqueIdToken = "eyJhbGciOiJIUzI1NiJ9.e30.signed-with-the-client-secret"

function translated(parameters: URLSearchParams, { renamed = {} }: Dialect): URLSearchParams {
  const names = [...parameters].map(([name, value]): [string, string] => [
    renamed[name] ?? name,
    value,
  ])
  return new URLSearchParams(names)
}
