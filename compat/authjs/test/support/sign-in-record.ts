/** Signs in at a simulated provider with either library, and records what was sent and what came of it. */
import { createTestBrowser, type FetchHandler } from "@latchkey/testing"
import { vi } from "vitest"
import {
  isMetadataRequest,
  isTokenRequest,
  type ProviderRequest,
  type SimulatedProvider,
  simulateProvider,
} from "./simulated-provider.ts"

/** The requests of a sign-in, and its result. Each aspect is a list of texts. */
export interface SignInRecord {
  readonly "authorization endpoint": readonly string[]
  readonly scope: readonly string[]
  readonly "authorization parameters": readonly string[]
  /** `state` is left out: Latchkey always sends it. */
  readonly protection: readonly string[]
  readonly "token endpoint": readonly string[]
  readonly "token parameters": readonly string[]
  readonly "client authentication": readonly string[]
  /** The requests for the profile. */
  readonly userinfo: readonly string[]
  readonly user: readonly string[]
  readonly "account id": readonly string[]
}

/** An aspect in which two records differ, with the texts that only one of them has. */
export interface Difference {
  readonly provider: string
  readonly aspect: string
  readonly authjs: string
  readonly latchkey: string
}

/** The options of a provider factory. */
interface ProviderOptions {
  clientId: string
  clientSecret: string
}

/** Creates an application. `events.signIn` has to be among its events. */
export type CreateApplication = (options: ProviderOptions, events: SignInEvents) => FetchHandler

interface SignInEvents {
  signIn: (message: { account?: { providerAccountId?: string } | null | undefined }) => void
}

/** Signs in once. The global `fetch` is replaced. */
export async function recordSignIn(
  simulated: SimulatedProvider,
  createApplication: CreateApplication,
): Promise<SignInRecord> {
  const provider = await simulateProvider(simulated)
  vi.stubGlobal("fetch", provider.fetch)
  const accountIds: string[] = []
  const signIn: SignInEvents["signIn"] = ({ account }) =>
    void accountIds.push(String(account?.providerAccountId))
  const browser = createTestBrowser(createApplication(provider.options, { signIn }))
  const authorizationUrl = await browser.startSignIn(simulated.id)
  await browser.open(provider.approve(authorizationUrl))
  const session = await browser.getSession()
  const { requests } = provider
  return {
    ...describeAuthorizationRequest(authorizationUrl),
    ...describeTokenRequest(requests.find(isTokenRequest)),
    userinfo: requests
      .filter((each) => !isTokenRequest(each) && !isMetadataRequest(each))
      .map(describeRequest),
    user: describeMembers({ ...session?.user }),
    "account id": accountIds,
  }
}

/** Compares two records. The order of texts does not matter. */
export function compareRecords(
  provider: string,
  authjs: SignInRecord,
  latchkey: SignInRecord,
): Difference[] {
  const aspects = Object.keys(latchkey) as (keyof SignInRecord)[]
  const subtract = (from: readonly string[], texts: readonly string[]) =>
    from.filter((text) => !texts.includes(text)).join(" ")
  return aspects
    .map((aspect) => ({
      provider,
      aspect,
      authjs: subtract(authjs[aspect], latchkey[aspect]),
      latchkey: subtract(latchkey[aspect], authjs[aspect]),
    }))
    .filter((difference) => difference.authjs || difference.latchkey)
}

/** Parameters with random values. */
const random = /^(?:state|nonce|code|code_challenge|code_verifier|client_secret)$/

function describeParameters(parameters: URLSearchParams, omitted: RegExp): string[] {
  return [...parameters]
    .filter(([name]) => !omitted.test(name))
    .map(([name, value]) => (random.test(name) ? name : `${name}=${value}`))
}

function describeAuthorizationRequest({ origin, pathname, searchParams }: URL) {
  const omitted = /^(?:client_id|scope|state|nonce|code_challenge|code_challenge_method)$/
  return {
    "authorization endpoint": [origin + pathname],
    scope: (searchParams.get("scope") ?? "").split(/[ ,]+/).filter(Boolean),
    "authorization parameters": describeParameters(searchParams, omitted),
    protection: [
      ...(searchParams.has("code_challenge") ? ["PKCE"] : []),
      ...(searchParams.has("nonce") ? ["nonce"] : []),
    ],
  }
}

function describeTokenRequest(request: ProviderRequest | undefined) {
  if (!request) throw new TypeError("The application did not send a token request")
  const body = request.form.has("client_secret") ? ["client_secret_post"] : []
  return {
    "token endpoint": [describeRequest(request)],
    "token parameters": describeParameters(
      request.form,
      /^(?:client_id|client_secret|code_verifier)$/,
    ),
    "client authentication": request.headers.has("authorization") ? ["client_secret_basic"] : body,
  }
}

/** Removes access tokens, which some providers take in the URL. */
function describeRequest({ method, url }: ProviderRequest): string {
  return `${method} ${url.replaceAll(/access-[\w-]+/g, "…")}`
}

/** Leaves out members without a value, as Auth.js does. */
function describeMembers(user: object): string[] {
  return Object.entries(user)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${value}`)
}
