/** The provider, the e-mail link or the form came back: prove, admit, resolve, start, go on. */
import { AuthError, CallbackRouteError, InvalidProvider, isClientError } from "../errors.ts"
import { proveCredentials } from "../flows/credentials.ts"
import type { Proof } from "../flows/proof.ts"
import type { Exchange } from "../http/exchange.ts"
import { type Outcome, redirect, withQuery } from "../http/outcome.ts"
import { admit } from "../identity/admit.ts"
import { ownerOf, provisionalUser, resolveIdentity } from "../identity/resolve.ts"
import type { Admitted } from "../proof.ts"
import type { ResolvedEmailProvider, ResolvedProvider } from "../providers/resolved.ts"
import { assertOwnForm, csrfToken } from "./csrf-guard.ts"
import { allowedUrl, landingOf } from "./landing.ts"
import { linkTarget } from "./link-request.ts"
import { type Action, actionUrl, type Caller, providerOf, type Services } from "./services.ts"
import { assertWithinRate } from "./signin.ts"

export const callback: Action = async (exchange, services, caller): Promise<Outcome> => {
  const provider = providerOf(exchange, services.config)
  if (!provider) throw new InvalidProvider({ expected: "a callback URL with the id of a provider" })
  const aside = provider.type === "email" && (await beforeLink(exchange, services, provider))
  if (aside) return aside
  try {
    const proof = await prove(exchange, services, caller, provider)
    if (proof.kind === "forward") return redirect(proof.to) // another deployment's answer
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
      await assertWithinRate(exchange, services, "email-link", provider.id)
      return services.email.prove(exchange, provider)
    case "credentials":
      if (exchange.method !== "POST") throw wrongKind(provider)
      await assertOwnForm(exchange, services, caller, "anyone")
      await assertWithinRate(exchange, services, "credentials", provider.id)
      return proveCredentials(exchange, provider)
    case "webauthn":
      throw wrongKind(provider)
  }
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
  try {
    const owner = await ownerOf(identity, config)
    const user = owner ?? (await provisionalUser(identity, config))
    const admission = await admit(identity, user, false, config)
    if (admission.kind === "redirect") {
      return redirect(await allowedUrl(exchange, admission.url, config))
    }
    const linkFor = await linkTarget(exchange, services, proof.link)
    const joins = "joinsByEmail" in provider && provider.joinsByEmail
    const admitted = await resolveIdentity(identity, owner, linkFor, joins, config)
    await sessions.start(exchange, admitted)
    await announce(admitted, services)
    return redirect(await destination(exchange, services, proof, admitted))
  } catch (error) {
    if (proof.restore && !(error instanceof Error && isClientError(error))) {
      await proof.restore().catch((fault) => config.log.error(fault))
    }
    throw error
  }
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
