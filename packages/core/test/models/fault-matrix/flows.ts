/** The flows of the matrix: what a browser does, step by step, until a step is refused. */
import {
  createVirtualAuthenticator,
  type ScriptedProvider,
  type TestBrowser,
} from "@latchkey/testing"
import { confirmLink } from "../../support/open-link.ts"
import { PasskeyBrowser } from "../../support/passkey-app.ts"
import { carl, type FaultSite, password, type SiteKind } from "./fault-site.ts"

/** The site of a flow, and a browser at it. */
export interface FlowContext {
  readonly site: FaultSite
  readonly browser: TestBrowser
  readonly passkeys: PasskeyBrowser
  /** Browsers whose sessions must survive. */
  readonly others: TestBrowser[]
}

export interface Flow {
  readonly name: string
  /** Whether Carl is signed in in the browser before. */
  readonly isSignedIn: boolean
  readonly kinds?: readonly SiteKind[]
  prepare?(context: FlowContext): unknown
  /** Called last, without a request. */
  begin?(context: FlowContext): void
  /** Returns the last response; throws `Refusal` for an earlier one that ends the flow. */
  run(context: FlowContext): Promise<Response>
  /** Whether a flow that succeeded ends the same when it runs again. */
  readonly isRepeatable?: boolean
}

/** Thrown for a response that ends a flow before its last step. */
export class Refusal extends Error {
  readonly response: Response
  constructor(response: Response) {
    super(`${response.status} ${response.headers.get("location")}`)
    this.response = response
  }
}

export function isRefused({ status, headers }: Response): boolean {
  const location = headers.get("location")
  return status >= 400 || (location !== null && /[?&]error=/.test(location))
}

function proceed(response: Response): Response {
  if (isRefused(response)) throw new Refusal(response)
  return response
}

async function submitForm(
  { browser }: FlowContext,
  route: string,
  fields: Record<string, string> = {},
) {
  const { csrfToken } = await proceed(await browser.fetch("/auth/csrf")).json()
  return browser.post(`/auth/${route}`, { csrfToken, ...fields })
}

async function signInWithProvider(
  context: FlowContext,
  provider: ScriptedProvider,
  { id = provider.id, link = "false" } = {},
): Promise<Response> {
  const response = proceed(await submitForm(context, `signin/${id}`, { link }))
  const url = new URL(response.headers.get("location") ?? "", context.browser.origin)
  // A fault may lead elsewhere.
  if (url.origin !== new URL(provider.issuer).origin) throw new Refusal(response)
  return context.browser.open(provider.approve(url))
}

const signInWithPassword = (context: FlowContext, name: string) =>
  submitForm(context, "callback/credentials", { name, password })

async function signInByEmail(context: FlowContext, provider = "email", email = "ada@example.com") {
  const { mailbox } = context.site
  const sentBefore = mailbox.length
  const response = proceed(await submitForm(context, `signin/${provider}`, { email }))
  const mail = mailbox[sentBefore]
  if (!mail) throw new Refusal(response)
  const opened = await context.browser.open(mail.url)
  return opened.status === 200 ? confirmLink(context.browser, opened) : opened
}

async function runCeremony({ passkeys }: FlowContext, fields: Record<string, string>) {
  const query = new URLSearchParams(fields)
  const reply = proceed(await passkeys.browser.fetch(`/auth/webauthn-options/passkey?${query}`))
  const options = { status: reply.status, ...(await reply.clone().json()) }
  const response = await passkeys.createResponse(options).catch((error: Error) => {
    // The device has the passkey already.
    if (error.name === "InvalidStateError") return undefined
    throw new Refusal(reply)
  })
  return response ? passkeys.sendResponse(fields["action"] ?? "", response) : reply
}

/** Does something in another browser, before. */
const inOtherBrowser =
  (run: (context: FlowContext) => Promise<Response>) =>
  async (context: FlowContext): Promise<void> => {
    const browser = context.site.openBrowser()
    const passkeys = new PasskeyBrowser(browser, context.passkeys.device)
    proceed(await run({ ...context, browser, passkeys }))
    context.others.push(browser)
  }

const withOidc = (context: FlowContext) => signInWithProvider(context, context.site.oidc)
const withOAuth = (context: FlowContext) => signInWithProvider(context, context.site.oauth)
const withFormPost = (context: FlowContext) =>
  signInWithProvider(context, context.site.oidc, { id: "form-post" })
const registerPasskey = (context: FlowContext) =>
  runCeremony(context, { action: "register", name: "Ada" })
const readSession = ({ browser }: FlowContext) => browser.fetch("/auth/session")

type SignIn = Omit<Flow, "isSignedIn">

const signIns: readonly SignIn[] = [
  { name: "OpenID Connect, new user", run: withOidc, isRepeatable: true },
  {
    name: "OpenID Connect, known user",
    prepare: inOtherBrowser(withOidc),
    run: withOidc,
    isRepeatable: true,
  },
  { name: "OAuth, new user", run: withOAuth, isRepeatable: true },
  { name: "form_post, new user", run: withFormPost, isRepeatable: true },
  { name: "e-mail link, new user", run: (context) => signInByEmail(context), isRepeatable: true },
  {
    name: "e-mail link, known user",
    prepare: inOtherBrowser((context) => signInByEmail(context)),
    run: (context) => signInByEmail(context),
    isRepeatable: true,
  },
  {
    name: "e-mail link, first proof of an address",
    prepare: ({ site }) =>
      site.adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null }),
    run: (context) => signInByEmail(context),
    isRepeatable: true,
  },
  { name: "e-mail code", run: (context) => signInByEmail(context, "code"), isRepeatable: true },
  {
    name: "password",
    prepare: ({ site }) =>
      site.adapter.createUser({ id: "ada", email: "ada@example.com", emailVerified: null }),
    run: (context) => signInWithPassword(context, "ada"),
    isRepeatable: true,
  },
  { name: "new passkey", run: registerPasskey },
  {
    name: "passkey",
    prepare: inOtherBrowser(registerPasskey),
    run: (context) => runCeremony(context, { action: "authenticate" }),
    isRepeatable: true,
  },
]

const signedIn: readonly SignIn[] = [
  {
    name: "linking an account",
    run: (context) => signInWithProvider(context, context.site.oidc, { link: "true" }),
    isRepeatable: true,
  },
  {
    name: "adding a passkey",
    run: (context) => runCeremony(context, { action: "register", link: "true" }),
  },
  { name: "reading the session", run: readSession, isRepeatable: true },
  {
    name: "updating the session",
    run: async ({ browser }) => {
      const { csrfToken } = await proceed(await browser.fetch("/auth/csrf")).json()
      return browser.fetch("/auth/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, data: { note: "seen" } }),
      })
    },
    isRepeatable: true,
  },
  {
    name: "pages",
    run: async ({ browser }) => {
      proceed(await browser.open("/auth/signin?callbackUrl=/inbox"))
      proceed(await browser.open("/auth/providers"))
      return browser.open("/auth/signout")
    },
    isRepeatable: true,
  },
  { name: "sign-out", run: (context) => submitForm(context, "signout"), isRepeatable: true },
]

/** Passkeys of a user who is signed in would be added to that user. */
const isOnlyAnonymous = (name: string) => name === "passkey"

const rotation: Flow = {
  name: "reading the session, with new tokens of the provider",
  isSignedIn: false,
  kinds: ["jwt", "codec"],
  prepare: async (context) => proceed(await withOidc(context)),
  begin: ({ site }) => site.time.advance(3_700_000),
  run: readSession,
  isRepeatable: true,
}

export const flows: readonly Flow[] = [
  rotation,
  ...signIns.map((flow) => ({ ...flow, isSignedIn: false })),
  ...signIns
    .filter(({ name }) => !isOnlyAnonymous(name))
    .map((flow) => ({ ...flow, name: `${flow.name}, instead of Carl`, isSignedIn: true })),
  ...signedIn.map((flow) => ({ ...flow, isSignedIn: true })),
]

/** Stores Carl and signs him in, if the flow begins so. */
export async function prepareContext(site: FaultSite, flow: Flow): Promise<FlowContext> {
  const browser = site.openBrowser()
  const passkeys = new PasskeyBrowser(browser, createVirtualAuthenticator())
  const context = { site, browser, passkeys, others: [] }
  await site.adapter.createUser({ ...carl, emailVerified: new Date() })
  await flow.prepare?.(context)
  if (flow.isSignedIn) proceed(await signInWithPassword(context, carl.id))
  return context
}
