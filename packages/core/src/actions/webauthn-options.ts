/** `GET webauthn-options/<provider>`: what a script hands to the browser's own dialogue. */
import { AccountNotLinked, InvalidProvider, TooManyRequests } from "../errors.ts"
import type { LinkRequest } from "../flows/proof.ts"
import { isCrossSite } from "../http/csrf.ts"
import type { Exchange } from "../http/exchange.ts"
import { json, type Outcome } from "../http/outcome.ts"
import type { ResolvedWebAuthnProvider } from "../providers/resolved.ts"
import type { CeremonyOptions, WebAuthnUserInfo } from "../providers/webauthn-types.ts"
import { ownRequest } from "./link-request.ts"
import { type Action, providerOf, type Services } from "./services.ts"
import { assertWithinRate } from "./signin.ts"

export const webauthnOptions: Action = async (exchange, services): Promise<Outcome> => {
  const provider = providerOf(exchange, services.config)
  if (provider?.type !== "webauthn") {
    throw new InvalidProvider({ expected: "a provider of the type webauthn" })
  }
  // It leaves a challenge behind: nobody else's page may ask for one.
  if (isCrossSite(exchange.headers, exchange.origin)) return refusal("Invalid request")
  try {
    return await answer(exchange, services, provider)
  } catch (error) {
    // Asked for by a script, which a page would be of no use to.
    const status = error instanceof TooManyRequests ? 429 : 403
    if (!(error instanceof TooManyRequests || error instanceof AccountNotLinked)) throw error
    services.config.log.error(error)
    return refusal(error.type, status)
  }
}

function refusal(error: string, status = 400): Outcome {
  return json({ error }, status)
}

async function answer(
  exchange: Exchange,
  services: Services,
  provider: ResolvedWebAuthnProvider,
): Promise<Outcome> {
  const { query } = exchange
  const action = query.getAll("action").at(-1)
  if (action !== undefined && action !== "register" && action !== "authenticate") {
    return refusal("Invalid action")
  }
  const said = (await services.webauthn.userInfo(exchange, provider)) ?? null
  const identifier = said?.user.email ?? undefined
  await assertWithinRate(exchange, services, "webauthn-options", provider.id, identifier)
  // A sign-in is a sign-in, whoever was here before.
  const session = action === "authenticate" ? undefined : await ownRequest(exchange, services)
  const decision = decide({
    action,
    session,
    said,
    // The contract's default answers an unknown address with a registration, which tells that it is unknown.
    tells: provider.getUserInfo !== undefined,
    linking: linking(query.getAll("link").at(-1) === "true", services.config.linksSilently),
  })
  const options = await optionsFor(decision, exchange, services, provider)
  if (!options) return refusal("Invalid request")
  return json({ action: decision.kind === "authenticate" ? "authenticate" : "register", options })
}

type Linking = "asked-for" | "always" | "not-asked-for"

function linking(asked: boolean, silently: boolean): Linking {
  if (asked) return "asked-for"
  return silently ? "always" : "not-asked-for"
}

/** All that the decision depends on. */
interface Asked {
  readonly action: "register" | "authenticate" | undefined
  /** The session of whoever asks for something else than to sign in. */
  readonly session: LinkRequest | undefined
  /** Who the form says they are. */
  readonly said: WebAuthnUserInfo
  /** Whether the application looks people up by what the form says. */
  readonly tells: boolean
  /** Whether the passkey is to be added to the user who is signed in. */
  readonly linking: Linking
}

type Decision =
  | { readonly kind: "authenticate"; readonly owner: string | null }
  | { readonly kind: "sign-up"; readonly said: Extract<WebAuthnUserInfo, { exists: false }> }
  | { readonly kind: "add"; readonly link: LinkRequest }
  | { readonly kind: "refuse" }

/** Table: docs/passkeys.md. Security case 127. */
function decide({ action, session, said, tells, linking }: Asked): Decision {
  if (action === "register") {
    if (linking === "asked-for" && !session) {
      throw new AccountNotLinked({ expected: "somebody to be signed in who adds the passkey" })
    }
    // A request that names nobody can only mean the person who is signed in.
    if (session && (linking !== "not-asked-for" || !said)) return { kind: "add", link: session }
    return said?.exists === false ? { kind: "sign-up", said } : { kind: "refuse" }
  }
  if (action === undefined && session) return { kind: "refuse" }
  if (action === undefined && tells && said?.exists === false) return { kind: "sign-up", said }
  return { kind: "authenticate", owner: said?.exists === true ? said.user.id : null }
}

async function optionsFor(
  decision: Decision,
  exchange: Exchange,
  { webauthn }: Services,
  provider: ResolvedWebAuthnProvider,
): Promise<CeremonyOptions | undefined> {
  switch (decision.kind) {
    case "authenticate":
      return webauthn.authentication(exchange, provider, decision.owner)
    case "sign-up": {
      const { user } = decision.said
      return user.email || user.name ? webauthn.signUp(exchange, provider, user) : undefined
    }
    case "add":
      return webauthn.addition(exchange, provider, decision.link)
    case "refuse":
      return undefined
  }
}
