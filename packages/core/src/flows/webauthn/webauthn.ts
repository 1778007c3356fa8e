/** Sign-in with passkeys and security keys. */
import type { AdapterAuthenticator } from "../../adapters.ts"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import type { Store } from "../../config/store.ts"
import { MissingAdapter } from "../../errors.ts"
import { type Exchange, textOf } from "../../http/exchange.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { CeremonyOptions, WebAuthnUserInfo } from "../../providers/webauthn-types.ts"
import type { User } from "../../types.ts"
import type { LinkRequest, Proof } from "../proof.ts"
import { proveAuthentication } from "./authenticate.ts"
import { createChallenges } from "./challenges.ts"
import { authenticationOptions, registrationOptions } from "./options.ts"
import { refused } from "./refused.ts"
import { proveRegistration } from "./register.ts"
import { type DeviceResponse, responseIn } from "./response.ts"
import { serverOf } from "./server.ts"
import { userInfoOf } from "./user-info.ts"

export interface WebAuthnFlow {
  /** Who a form is about; null when it says nothing of use. */
  userInfo(exchange: Exchange, provider: ResolvedWebAuthnProvider): Promise<WebAuthnUserInfo>
  /** @param owner the user whose passkeys are asked for; null asks for any that the device has */
  authentication(
    exchange: Exchange,
    provider: ResolvedWebAuthnProvider,
    owner: string | null,
  ): Promise<CeremonyOptions>
  /** Asks for the first passkey of a new user. */
  signUp(
    exchange: Exchange,
    provider: ResolvedWebAuthnProvider,
    user: User,
  ): Promise<CeremonyOptions>
  /** Asks for another passkey of the user whose session it is. */
  addition(
    exchange: Exchange,
    provider: ResolvedWebAuthnProvider,
    link: LinkRequest,
  ): Promise<CeremonyOptions>
  /** @throws WebAuthnVerificationError when anything is not as it has to be */
  prove(exchange: Exchange, provider: ResolvedWebAuthnProvider): Promise<Proof>
}

export function createWebAuthnFlow(config: ResolvedConfig): WebAuthnFlow {
  const challenges = createChallenges(config)
  warnOfMissing(config)
  return {
    userInfo: userInfoOf,
    async authentication(exchange, provider, owner) {
      const passkeys = owner === null ? [] : await passkeysOf(owner, storeOf(config))
      const asked = owner === null ? null : { id: owner, passkeys }
      return authenticationOptions(exchange, provider, challenges, asked)
    },
    signUp: (exchange, provider, user) =>
      registrationOptions(exchange, provider, challenges, { user, link: null, passkeys: [] }),
    async addition(exchange, provider, link) {
      const store = storeOf(config)
      const user = await store.getUser(link.userId)
      if (!user) throw refused(provider.id, { expected: "the user who is signed in to exist" })
      const passkeys = await passkeysOf(user.id, store)
      const { name = null, email } = user
      const shown = { user: { name, email }, link, passkeys }
      return registrationOptions(exchange, provider, challenges, shown)
    },
    async prove(exchange, provider) {
      const { body } = exchange
      const action = textOf(body, "action")
      const answer = responseIn(body)
      if (!answer) throw refused(provider.id, { expected: "`data` with the answer of a device" })
      const asked = await challenges.take(exchange, answer.challenge, provider.id)
      if (!asked || asked.kind !== action) throw spent(provider.id)
      // Sections 7.1 step 10 and 7.2 step 13: nobody sees whose passkey they give away inside another's page.
      if (answer.framed) throw refused(provider.id, { expected: "a page that is in no frame" })
      const store = storeOf(config)
      return asked.kind === "register"
        ? proveRegistration(exchange, provider, store, asked, as(answer))
        : proveAuthentication(exchange, provider, store, asked, as(answer))
    },
  }
}

/** Of which kind an answer is, the verifying package checks (`type` of the client data). */
function as<Response>(answer: DeviceResponse<unknown>): DeviceResponse<Response> {
  return answer as DeviceResponse<Response>
}

function spent(provider: string) {
  return refused(provider, {
    expected: "a challenge that this browser was given, and that nobody has answered yet",
    hint: "The page was open for more than 15 minutes, its cookie was blocked, or it was sent twice.",
  })
}

function storeOf({ store }: ResolvedConfig): Store {
  if (store) return store
  throw new MissingAdapter({ hint: "Passkeys are kept in a database: set `adapter`." })
}

async function passkeysOf(userId: string, store: Store): Promise<readonly AdapterAuthenticator[]> {
  return store.listAuthenticatorsByUserId(userId)
}

/** Said when the application starts, and not when the first person tries. */
function warnOfMissing({ providers, problems, log }: ResolvedConfig): void {
  if (problems.length > 0) return
  for (const provider of providers.values()) {
    if (provider.type === "webauthn") serverOf(provider).catch((error) => log.error(error))
  }
}
