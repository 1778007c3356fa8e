import { approve } from "./authorization.ts"
import { authMethodsOf } from "./client-auth.ts"
import { hazards, honestPath } from "./hazards.ts"
import { json } from "./json.ts"
import { keySet, metadata } from "./metadata.ts"
import { answerScript, faultOf } from "./misbehaviour.ts"
import { ProviderRefusal } from "./refusal.ts"
import type { ProviderState } from "./state.ts"
import { tokenEndpoint } from "./token-endpoint.ts"
import type { Claims, EndpointName, RecordedRequest, Responder } from "./types.ts"
import { userinfo } from "./userinfo.ts"

/** Answers a request to the provider: records it, then lets the script go first and honesty second. */
export async function route(state: ProviderState, request: Request): Promise<Response> {
  const recorded = await record(state, request)
  const once = memoised(() => honestly(state, recorded))
  if (new URL(request.url).pathname.startsWith(honestPath)) return once()
  const answer = await responder(state, recorded.endpoint)?.(recorded, once)
  return answer ?? scripted(state, recorded, await once())
}

/** Notes a request, also one that goes elsewhere: tests ask where secrets were sent. */
async function record(state: ProviderState, request: Request): Promise<RecordedRequest> {
  const { method, headers, signal } = request
  const url = new URL(request.url)
  const text = request.body ? await request.clone().text() : ""
  const form = headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")
  const body = new URLSearchParams(form ? text : "")
  const endpoint = endpointAt(state, url)
  const clientAuth = endpoint === "token" ? authMethodsOf(headers, body)[0] : undefined
  const recorded = {
    endpoint,
    method,
    url,
    headers,
    body,
    text,
    signal,
    ...(clientAuth && { clientAuth }),
  }
  state.requests.push(recorded)
  return recorded
}

function endpointAt(state: ProviderState, url: URL): EndpointName {
  const issuer = new URL(state.issuer)
  if (url.origin !== issuer.origin) return "elsewhere"
  const path = url.pathname.replace(new RegExp(`^${honestPath}`), "")
  const base = issuer.pathname.replace(/\/$/, "")
  if (!path.startsWith(`${base}/`)) return "elsewhere"
  return paths[path.slice(base.length)] ?? "elsewhere"
}

/** `/oauth2/…` is where `tenantidp` expects them, `/info` where `socialidp` does. */
const paths: Readonly<Record<string, EndpointName>> = {
  "/.well-known/openid-configuration": "discovery",
  "/jwks": "jwks",
  "/authorize": "authorize",
  "/oauth2/authorize": "authorize",
  "/token": "token",
  "/oauth2/token": "token",
  "/userinfo": "userinfo",
  "/oauth2/userinfo": "userinfo",
  "/info": "userinfo",
}

function responder(state: ProviderState, endpoint: EndpointName): Responder | undefined {
  const own = state.responders.get(endpoint)
  if (own) return own
  const fault = faultOf(state.faults, endpoint)
  return typeof fault === "string" && fault in hazards
    ? hazards[fault as keyof typeof hazards]
    : undefined
}

/** Changes an honest answer as the script says; refusals stay as they are. */
async function scripted(
  { faults, endpoints }: ProviderState,
  { endpoint }: RecordedRequest,
  honest: Response,
): Promise<Response> {
  const script = honest.ok ? answerScript(faults, endpoint) : undefined
  const changed = script ? await script((await honest.json()) as Claims, endpoints) : honest
  const response = changed instanceof Response ? changed : json(changed)
  if (endpoint === "token" && faults.wwwAuthenticate !== undefined) {
    response.headers.set("www-authenticate", faults.wwwAuthenticate)
  }
  return response
}

async function honestly(state: ProviderState, request: RecordedRequest): Promise<Response> {
  try {
    return await answers[request.endpoint](state, request)
  } catch (refusal) {
    if (!(refusal instanceof ProviderRefusal)) throw refusal
    const { error, message, status } = refusal
    const scheme = request.endpoint === "userinfo" ? "Bearer" : "Basic"
    const challenge = status === 401 ? { "www-authenticate": `${scheme} realm="scripted"` } : {}
    return json({ error, error_description: message }, status, challenge)
  }
}

type Endpoint = (state: ProviderState, request: RecordedRequest) => Response | Promise<Response>

const notFound = (): Response => new Response("There is nothing here.", { status: 404 })

const unlessSocial =
  (answer: (state: ProviderState) => unknown): Endpoint =>
  (state) =>
    state.dialect === "social" ? notFound() : json(answer(state))

const answers: Record<EndpointName, Endpoint> = {
  discovery: unlessSocial(metadata),
  jwks: unlessSocial(keySet),
  authorize: (state, { url }) => sendBack(state, url),
  token: tokenEndpoint,
  userinfo,
  elsewhere: notFound,
}

/** Approves without asking: over HTTP there is nobody to ask. */
function sendBack(state: ProviderState, url: URL): Response {
  const asked = new URL(state.endpoints.authorize)
  asked.search = url.search
  const { url: back, form } = approve(state, asked)
  if (!form) return new Response(null, { status: 302, headers: { location: back.href } })
  const field = ([name, value]: [string, string]): string =>
    `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`
  const page = `<!doctype html><title>Signing in</title><body onload="document.forms[0].submit()">
<form method="post" action="${escaped(back.href)}">${[...form].map(field).join("")}<button>Continue</button></form>`
  return new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } })
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function memoised<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
