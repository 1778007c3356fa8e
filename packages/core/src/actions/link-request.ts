/** Adding an account to the user who is signed in: asked for explicitly, and by their own session. */
import type { AdapterUser } from "../adapters.ts"
import { AccountNotLinked, OAuthAccountNotLinked } from "../errors.ts"
import type { LinkRequest } from "../flows/flow-result.ts"
import type { ActionRequest, SessionContext } from "../http/action-request.ts"
import type { ProviderType } from "../types.ts"
import type { Services } from "./services.ts"

/** Whether a form asks for the account to be added to the user who is signed in. */
export function isLinkRequested({ body }: ActionRequest): boolean {
  const link = Object.hasOwn(body, "link") ? body["link"] : false
  return link === true || link === "true"
}

/** What a sign-in records when it is to link; undefined when nobody asked, or nobody is signed in. */
export async function createLinkRequest(
  request: ActionRequest,
  services: Services,
): Promise<LinkRequest | undefined> {
  const { config, store } = services
  const isRequested = isLinkRequested(request)
  if (!store || !(isRequested || config.implicitLinking)) return undefined
  const linkRequest = await createSessionLinkRequest(request, services)
  if (linkRequest || !isRequested) return linkRequest
  throw new OAuthAccountNotLinked({ expected: "somebody to be signed in who adds the account" })
}

/** A request of the session that is here; undefined when nobody is signed in. */
export async function createSessionLinkRequest(
  context: SessionContext,
  { hasher, sessions }: Services,
): Promise<LinkRequest | undefined> {
  const read = await sessions.revalidateSession(context)
  if (read.kind === "unavailable") throw read.error
  const userId = read.kind === "valid" ? read.userId : undefined
  if (!userId) return undefined
  const binding = await sessions.getSessionBinding(context)
  return { userId, sessionBinding: await hasher.hash("session binding", binding) }
}

/**
 * The user that an account is to be linked to.
 *
 * @throws OAuthAccountNotLinked, AccountNotLinked when the session that asked is not the one that is here now
 */
export async function findLinkUser(
  request: ActionRequest,
  { hasher, sessions, store }: Services,
  linkRequest: LinkRequest | undefined,
  type: ProviderType,
): Promise<AdapterUser | null> {
  if (!linkRequest || !store) return null
  const read = await sessions.revalidateSession(request)
  if (read.kind === "unavailable") throw read.error
  const binding = await sessions.getSessionBinding(request)
  const hashes = await hasher.hashWithEachSecret("session binding", binding)
  const isSameUser = read.kind === "valid" && read.userId === linkRequest.userId
  const user =
    isSameUser &&
    hashes.includes(linkRequest.sessionBinding) &&
    (await store.getUser(linkRequest.userId))
  if (user) return user
  const NotLinked = type === "webauthn" ? AccountNotLinked : OAuthAccountNotLinked
  throw new NotLinked({
    expected: "the session that asked for the account to be added",
    hint: "It ended, or somebody else signed in, while the provider or the device was asked.",
  })
}
