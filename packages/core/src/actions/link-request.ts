/** Adding an account to the user who is signed in: asked for explicitly, and by their own session. */
import type { AdapterUser } from "../adapters.ts"
import { AccountNotLinked, OAuthAccountNotLinked } from "../errors.ts"
import type { LinkRequest } from "../flows/proof.ts"
import type { Exchange, Visit } from "../http/exchange.ts"
import type { ProviderType } from "../types.ts"
import type { Services } from "./services.ts"

/** Whether a form asks for the account to be added to the user who is signed in. */
export function asksToLink({ body }: Exchange): boolean {
  const asked = Object.hasOwn(body, "link") ? body["link"] : false
  return asked === true || asked === "true"
}

/** What a sign-in records when it is to link; undefined when nobody asked, or nobody is signed in. */
export async function linkRequestOf(
  exchange: Exchange,
  { config, sessions }: Services,
): Promise<LinkRequest | undefined> {
  const asked = asksToLink(exchange)
  if (!config.store || !(asked || config.linksSilently)) return undefined
  const request = await ownRequest(exchange, { config, sessions })
  if (request || !asked) return request
  throw new OAuthAccountNotLinked({ expected: "somebody to be signed in who adds the account" })
}

/** A request of the session that is here; undefined when nobody is signed in. */
export async function ownRequest(
  visit: Visit,
  { config, sessions }: Pick<Services, "config" | "sessions">,
): Promise<LinkRequest | undefined> {
  const read = await sessions.confirm(visit)
  if (read.kind === "unavailable") throw read.error
  const userId = read.kind === "valid" ? sessions.ownerOf(read) : undefined
  if (!userId) return undefined
  const binding = await sessions.binding(visit)
  return { userId, binding: await config.hasher.hash("session binding", binding) }
}

/**
 * The user that an account is to be linked to.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the session that asked is not the one that is here now
 */
export async function linkTarget(
  exchange: Exchange,
  { config, sessions }: Services,
  request: LinkRequest | undefined,
  type: ProviderType,
): Promise<AdapterUser | null> {
  if (!request || !config.store) return null
  const read = await sessions.confirm(exchange)
  if (read.kind === "unavailable") throw read.error
  const binding = await sessions.binding(exchange)
  const hashes = await config.hasher.hashes("session binding", binding)
  const same = read.kind === "valid" && sessions.ownerOf(read) === request.userId
  const user =
    same && hashes.includes(request.binding) && (await config.store.getUser(request.userId))
  if (user) return user
  const NotLinked = type === "webauthn" ? AccountNotLinked : OAuthAccountNotLinked
  throw new NotLinked({
    expected: "the session that asked for the account to be added",
    hint: "It ended, or somebody else signed in, while the provider or the device was asked.",
  })
}
