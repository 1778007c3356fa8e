/** The provider, the e-mail link or the form came back: prove, admit, resolve, start, go on. */
import { AuthError, CallbackRouteError, InvalidProvider, isClientError } from "../errors.ts"
import { proveCredentials } from "../flows/credentials.ts"
import type { Proof } from "../flows/proof.ts"
import { type Exchange, textOf } from "../http/exchange.ts"
import { type Outcome, redirect, withQuery } from "../http/outcome.ts"
import { admit } from "../identity/admit.ts"
import { considerIdentity, resolveIdentity } from "../identity/resolve.ts"
import type { Admitted } from "../proof.ts"
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedProvider,
} from "../providers/resolved.ts"
import { assertOwnForm, assertOwnPage, csrfToken } from "./csrf-guard.ts"
import { allowedUrl, landingOf } from "./landing.ts"
import { linkTarget } from "./link-request.ts"
import { type Action, actionUrl, type Caller, providerOf, type Services } from "./services.ts"
import { assertWithinRate } from "./signin.ts"
import { noteAdmission, noteIdentity, noteResolution } from "./trace-notes.ts"

export const callback: Action = async (exchange, services, caller): Promise<Outcome> => {
  const provider = providerOf(exchange, services.config)
  if (!provider) throw new InvalidProvider({ expected: "a callback URL with the id of a provider" })
  const aside = provider.type === "email" && (await beforeLink(exchange, services, provider))
  if (aside) return aside
  try {
    const proof = await prove(exchange, services, caller, provider)
    if (proof.kind === "forward") return redirect(proof.to) // another deployment's answer
    services.config.log.debug("identity_proven", { provider: provider.id, type: provider.type })
    return await enter(exchange, services, provider, proof)
  } catch (cause) {
    if (cause instanceof AuthError) throw cause
    throw new CallbackRouteError("The callback failed.", { provider: provider.id, cause })
  }
}

async function prove(
  exchange: Exchange,
  services: Services,
  caller: Caller,
  provider: ResolvedProvider,
): Promise<Proof> {
  switch (provider.type) {
    case "oauth":
    case "oidc":
      return services.oauth.prove(exchange, provider)
    case "email":
      if (exchange.method === "POST") await assertOwnForm(exchange, services, caller, "anyone")
      await assertWithinRate(exchange, services, "email-link", provider.id, addressIn(exchange))
      return services.email.prove(exchange, provider)
    case "credentials":
      if (exchange.method !== "POST") throw wrongKind(provider)
      await assertOwnForm(exchange, services, caller, "anyone")
      await assertWithinRate(
        exchange,
        services,
        "credentials",
        provider.id,
        nameIn(exchange, provider),
      )
      return proveCredentials(exchange, provider)
    case "webauthn":
      if (exchange.method !== "POST") throw wrongKind(provider)
      await assertOwnPage(exchange, services, caller)
      await assertWithinRate(exchange, services, "webauthn", provider.id)
      return services.webauthn.prove(exchange, provider)
  }
}

/** The address in a link: what a stranger wrote there, up to the length of an address. */
function addressIn({ query }: Exchange): string | undefined {
  return query.get("email")?.slice(0, 320) || undefined
}

/** Who somebody says they are: what was typed into the first field that is no password. */
function nameIn({ body }: Exchange, { fields }: ResolvedCredentialsProvider): string | undefined {
  const shown = Object.entries(fields).find(([, { type }]) => type !== "password")
  return (shown && textOf(body, shown[0])?.slice(0, 320)) || undefined
}

function wrongKind({ id }: ResolvedProvider): InvalidProvider {
  return new InvalidProvider({ provider: id, expected: "a callback that the provider has" })
}

/** Nothing but a person uses a link up: not a prefetch, and with `confirm` not a mail scanner either. */
async function beforeLink(
  exchange: Exchange,
  services: Services,
  provider: ResolvedEmailProvider,
): Promise<Outcome | undefined> {
  const { headers, query, origin } = exchange
  const purpose = ["sec-purpose", "purpose", "x-moz", "x-purpose"].map((name) => headers.get(name))
  if (purpose.some((value) => /prefetch|prerender|preview/i.test(value ?? ""))) {
    return { kind: "empty", status: 503 }
  }
  // An image or frame in somebody's page is no click: it would sign people in as whoever asked for the link.
  const destination = headers.get("sec-fetch-dest")
  if (destination !== null && destination !== "document") return { kind: "empty", status: 400 }
  if (!provider.confirm || exchange.method !== "GET") return undefined
  const token = await csrfToken(exchange, services, "anyone")
  const page = await services.pages.confirm({
    action: `${actionUrl(exchange, services.config, `callback/${provider.id}`)}?${query}`,
    ...(token === undefined ? {} : { csrfToken: token }),
    email: query.get("email") ?? "",
    homeUrl: origin,
  })
  return { kind: "page", page }
}

type Proven = Extract<Proof, { kind: "proven" }>

/** The one way in, whatever the proof was. */
async function enter(
  exchange: Exchange,
  services: Services,
  provider: ResolvedProvider,
  proof: Proven,
): Promise<Outcome> {
  const { config, sessions } = services
  const { identity } = proof
  const { trace } = exchange
  noteIdentity(trace, identity)
  try {
    const linkFor = await linkTarget(exchange, services, proof.link, provider.type)
    const joins = "joinsByEmail" in provider && provider.joinsByEmail
    const resolution = await considerIdentity(identity, linkFor, joins, config)
    noteResolution(trace, resolution)
    const admission = await admit(identity, resolution.user, false, config)
    noteAdmission(trace, admission)
    if (admission.kind === "redirect") {
      return redirect(await allowedUrl(exchange, admission.url, config))
    }
    // The callback may have stored the person, or linked the account, itself.
    const settled = config.hasSignInCallback
      ? await considerIdentity(identity, linkFor, joins, config)
      : resolution
    const admitted = await resolveIdentity(identity, settled, config)
    await sessions.start(exchange, admitted)
    config.log.debug("session_started", { provider: provider.id, user: admitted.user.id })
    await announce(admitted, services)
    return redirect(await destination(exchange, services, proof, admitted))
  } catch (error) {
    if (isFault(error)) await proof.restore?.().catch((fault) => config.log.error(fault))
    throw error
  }
}

/** Whether something broke, as opposed to somebody being refused. */
function isFault(error: unknown): boolean {
  // A `signIn` callback that throws denies access, and says what broke.
  return !(error instanceof Error && isClientError(error) && error.cause?.err === undefined)
}

async function announce(admitted: Admitted, { config }: Services): Promise<void> {
  const { user, account, profile, isNewUser } = admitted
  const isCredentials = account.type === "credentials"
  await config.emit("signIn", {
    user,
    account,
    ...(profile ? { profile } : {}),
    ...(isCredentials || isNewUser === undefined ? {} : { isNewUser }),
  })
}

async function destination(
  exchange: Exchange,
  { config }: Services,
  proof: Proven,
  admitted: Admitted,
): Promise<string> {
  const { type } = admitted.account
  // A link may have been edited; what a transaction holds was checked before it was sealed.
  const callbackUrl =
    proof.callbackUrl === undefined || type === "email"
      ? await landingOf(exchange, config)
      : proof.callbackUrl
  if (!admitted.isNewUser || !config.pages.newUser) return callbackUrl
  return withQuery(config.pages.newUser, { callbackUrl })
}
