/**
 * Checks at a provider whether it accepts the client id, the client secret and the redirect URI.
 *
 * The library itself begins a sign-in and redeems a code that the provider never issued, so that the secret goes to the
 * token endpoint only, in the way in which the application sends it.
 */
import { randomBytes } from "node:crypto"
import { createAuth, customFetch, skipCSRFCheck } from "@latchkey/core"
import { getProviderFetch } from "./discovery.ts"
import type { DoctorContext, ProviderInfo } from "./doctor-context.ts"
import { getProviderVariable } from "./environment-variables.ts"
import {
  createErrorFinding,
  createGoodFinding,
  createSkippedFinding,
  describeError,
  type Finding,
} from "./finding.ts"
import { resolveActionUrl } from "./public-url.ts"
import { readText } from "./response-body.ts"
import { withTimeout } from "./timeout.ts"
import { describeTokenResponse, type TokenResponse } from "./token-response.ts"

export async function* checkClient(
  context: DoctorContext,
  provider: ProviderInfo,
): AsyncGenerator<Finding> {
  const callbackUrl = resolveActionUrl(context, "callback")
  if (callbackUrl instanceof Error || context.config.redirectProxyUrl !== undefined) {
    const what = `${provider.id}: the client was not tried, because the redirect URI is that of another application.`
    yield createSkippedFinding("client", what, "Run the doctor for that application.")
    return
  }
  const attempt = createAttempt(context, provider)
  const base = callbackUrl.href.replace(/\/callback$/, "")
  const authorizationUrl = await attempt.begin(`${base}/signin/${provider.id}`)
  if (authorizationUrl === undefined) {
    const what = `${provider.id}: a sign-in cannot begin: ${attempt.getLastError()}`
    yield createErrorFinding("client-fails", what, "Check the other findings of this provider.")
    return
  }
  const refusal = await checkAuthorization(context, provider, authorizationUrl)
  const result = await redeemUnknownCode(context, provider, attempt, authorizationUrl)
  // A provider that does not know the client knows no redirect URI of it, either.
  if (refusal && result.code !== "client-refused") yield refusal
  yield result
}

/** Redeems a code that the provider never issued. */
async function redeemUnknownCode(
  context: DoctorContext,
  { id }: ProviderInfo,
  attempt: Attempt,
  authorizationUrl: URL,
): Promise<Finding> {
  const response = await attempt.redeem(authorizationUrl)
  if (response === undefined) {
    const what = `${id}: the client secret was not tried: ${attempt.getLastError()}`
    return createSkippedFinding("client", what, "Sign in once to check it.")
  }
  const { verdict, text } = describeTokenResponse(response)
  const answer = `the token endpoint returned ${text}`
  const variables = `${getProviderVariable(id, "ID")} and ${getProviderVariable(id, "SECRET")}`
  switch (verdict) {
    case "accepted":
      return createGoodFinding("client", `${id}: the provider accepts the client id and secret`)
    case "client-refused":
      return createErrorFinding(
        "client-refused",
        `${id}: ${answer}.`,
        `Compare ${variables} with the provider's settings: the client id, or the client secret, is wrong.`,
      )
    case "redirect-uri-refused":
      return createRedirectUriFinding(context, id, answer, authorizationUrl)
    case "unknown":
      return createSkippedFinding(
        "client",
        `${id}: ${answer}, which does not tell whether the client secret is right.`,
        "Sign in once to check it.",
      )
  }
}

function createRedirectUriFinding(
  { env }: DoctorContext,
  id: string,
  answer: string,
  authorizationUrl: URL,
): Finding {
  const redirectUri = authorizationUrl.searchParams.get("redirect_uri")
  const alternative = env["AUTH_URL"] ? " If it is wrong, correct AUTH_URL." : ""
  return createErrorFinding(
    "redirect-uri-refused",
    `${id}: the provider most likely does not know the redirect URI ${redirectUri}: ${answer}.`,
    `Register this URI at the provider, letter by letter.${alternative}`,
  )
}

/** OpenID Connect Core 3.1.2.6: the answers to `prompt=none` of a provider that accepts the request. */
const expectedErrors =
  /^(?:(?:login|interaction|consent|account_selection)_required|access_denied)$/

/** Sends the authorization request without a user. Only providers of OpenID Connect respond without a page. */
async function checkAuthorization(
  context: DoctorContext,
  { id, type, options }: ProviderInfo,
  authorizationUrl: URL,
): Promise<Finding | undefined> {
  if (type !== "oidc") return undefined
  const url = new URL(authorizationUrl)
  url.searchParams.set("prompt", "none")
  const redirectUri = url.searchParams.get("redirect_uri") ?? ""
  try {
    const response = await withTimeout(getProviderFetch(options)(url, { redirect: "manual" }))
    await response.body?.cancel()
    if (response.status === 400)
      return createRedirectUriFinding(context, id, "the authorization endpoint returned 400", url)
    const location = response.headers.get("location") ?? ""
    if (!location.startsWith(redirectUri) || !URL.canParse(location)) return undefined
    const error = new URL(location).searchParams.get("error") ?? ""
    if (error === "" || expectedErrors.test(error)) return undefined
    return createErrorFinding(
      "authorization-refused",
      `${id}: the provider refuses the authorization request: ${describeError(error).slice(0, 64)}.`,
      "Compare the scopes and the response type with the provider's settings for your application.",
    )
  } catch {
    return undefined // The check of the metadata has reported it, or a sign-in will.
  }
}

/** A sign-in without a browser. */
interface Attempt {
  /** Returns the authorization URL. */
  begin(signInUrl: string): Promise<URL | undefined>
  /** Returns the response to the token request. */
  redeem(authorizationUrl: URL): Promise<TokenResponse | undefined>
  getLastError(): string
}

function createAttempt(context: DoctorContext, provider: ProviderInfo): Attempt {
  let lastError = "the library did not send the request."
  let issuer: string | undefined
  let tokenResponse: TokenResponse | undefined
  let cookies = ""
  const observe: typeof fetch = async (input, init) => {
    const response = await getProviderFetch(provider.options)(input, init)
    const text = await readText(response)
    if (new Headers(init?.headers).get("content-type")?.includes("urlencoded"))
      tokenResponse = { status: response.status, text }
    else issuer ??= readIssuer(text)
    const { status, headers } = response
    return new Response(text || null, { status, headers })
  }
  const auth = createAuth({
    providers: [{ ...provider.options, [customFetch]: observe } as never],
    basePath: String(context.config.basePath),
    // Nothing of this sign-in is stored, and none of the application's functions are called.
    secret: randomBytes(33).toString("base64"),
    trustHost: true,
    skipCSRFCheck,
    logger: {
      error: (code, message, details) => {
        const { headline = `${code}: ${describeError(message)}` } = Object(details)
        lastError = String(headline).replace(`${provider.id}: `, "")
      },
      warn: () => {},
    },
  })
  const send = async (url: URL | string, init?: RequestInit): Promise<Response> => {
    const response = await auth.handle(new Request(url, init))
    const pairs = response.headers.getSetCookie().map((line) => line.split(";", 1)[0])
    cookies = pairs.join("; ")
    return response
  }
  return {
    getLastError: () => lastError,
    async begin(signInUrl) {
      const { headers } = await send(signInUrl, { method: "POST" })
      const location = headers.get("location") ?? ""
      if (!URL.canParse(location)) return undefined
      const url = new URL(location)
      return url.searchParams.has("state") ? url : undefined
    },
    async redeem({ searchParams }) {
      const parameters = new URLSearchParams({
        code: randomBytes(16).toString("hex"),
        state: searchParams.get("state") ?? "",
        ...(issuer === undefined ? {} : { iss: issuer }),
      })
      const url = new URL(searchParams.get("redirect_uri") ?? "")
      const headers = { cookie: cookies }
      if (searchParams.get("response_mode") === "form_post")
        await send(url, { method: "POST", body: parameters, headers })
      else await send(`${url}?${parameters}`, { headers })
      return tokenResponse
    },
  }
}

/** Returns the issuer that metadata names. Its provider may require it in the response (RFC 9207). */
function readIssuer(text: string): string | undefined {
  try {
    const { issuer } = JSON.parse(text)
    return typeof issuer === "string" ? issuer : undefined
  } catch {
    return undefined // keys or a page
  }
}
