/** Sign-in with passkeys and security keys. */
import type { AdapterUser } from "../../adapters.ts"
import { requireDatabase } from "../../config/stored-accounts.ts"
import { readTextField } from "../../http/request-body.ts"
import { omitUndefined } from "../../objects.ts"
import type { CeremonyOptionsJSON } from "../../providers/webauthn-types.ts"
import { decodeBase64Url } from "../../runtime/base64url.ts"
import type { User } from "../../types.ts"
import type { CompletedFlow, LinkRequest } from "../flow.ts"
import { completeAuthentication } from "./authentication.ts"
import { consumeCeremony, recordUsedChallenge, saveCeremony } from "./challenge-store.ts"
import { base64ToBase64Url, parseCredential } from "./credential.ts"
import { loadWebAuthnServer } from "./load-server.ts"
import { completeRegistration } from "./registration.ts"
import { createUserId, deriveFirstHandle, deriveUserHandle } from "./user-handle.ts"
import {
  createVerificationError,
  selectRelyingParty,
  type WebAuthnFlowContext,
} from "./webauthn-context.ts"

/**
 * Creates the options for using a passkey.
 *
 * @param userId the user whose passkeys are requested; null requests any passkey that the device has
 */
export async function createAuthenticationOptions(
  context: WebAuthnFlowContext,
  userId: string | null,
): Promise<CeremonyOptionsJSON> {
  const { provider } = context
  const allowCredentials = userId === null ? undefined : await listCredentials(context, userId)
  const { id: rpID } = await selectRelyingParty(context)
  const server = await loadWebAuthnServer(provider)
  const options = await server.generateAuthenticationOptions({
    ...provider.authentication,
    rpID,
    ...omitUndefined({ allowCredentials }),
  })
  await saveCeremony(context, options.challenge, { kind: "authenticate", userId, rpId: rpID })
  return options
}

/**
 * Creates the options for a new passkey.
 *
 * @param linkRequest the request of a session to add a passkey; null for the first passkey of a new user
 */
export async function createRegistrationOptions(
  context: WebAuthnFlowContext,
  user: User,
  linkRequest: LinkRequest | null,
  isAutomatic = false,
): Promise<CeremonyOptionsJSON> {
  const { provider } = context
  const excludeCredentials = linkRequest ? await listCredentials(context, linkRequest.userId) : []
  const { id: rpID, name: rpName } = await selectRelyingParty(context)
  const server = await loadWebAuthnServer(provider)
  const { authenticatorSelection, ...registration } = provider.registration
  const { name: userName, displayName: userDisplayName } = describeUser(user, rpName)
  const id = linkRequest?.userId ?? (await createUserId())
  const handle = await (linkRequest ? deriveUserHandle(id) : deriveFirstHandle(id))
  const options = await server.generateRegistrationOptions({
    ...registration,
    authenticatorSelection: { ...authenticatorSelection }, // the package changes this object
    rpID,
    rpName,
    userName,
    userDisplayName,
    userID: decodeBase64Url(handle),
    excludeCredentials,
  })
  const newUser = { ...user, id }
  const ceremony = {
    kind: "register",
    user: newUser,
    linkRequest,
    rpId: rpID,
    isAutomatic,
  } as const
  await saveCeremony(context, options.challenge, ceremony)
  return options
}

/** Creates the options for another passkey of the user who is signed in. */
export async function createAddPasskeyOptions(
  context: WebAuthnFlowContext,
  linkRequest: LinkRequest,
  isAutomatic: boolean,
): Promise<CeremonyOptionsJSON> {
  const { name = null, email } = await getSignedInUser(context, linkRequest.userId)
  return createRegistrationOptions(context, { name, email }, linkRequest, isAutomatic)
}

async function getSignedInUser(context: WebAuthnFlowContext, userId: string): Promise<AdapterUser> {
  const user = await requireDatabase(context).store.getUser(userId)
  if (user) return user
  throw createVerificationError(context.provider, "the user who is signed in to exist")
}

/** The passkeys and names for the signal methods of browsers (WebAuthn Level 3, section 5.1.10). Bytes are base64url. */
export interface AcceptedPasskeys {
  readonly rpId: string
  /** The user handles that passkeys of the user may have. */
  readonly userIds: readonly string[]
  /** The ids of the passkeys of the user. All others were deleted. */
  readonly credentialIds: readonly string[]
  readonly name: string
  readonly displayName: string
}

/** Describes the passkeys of the user who is signed in. */
export async function describeAcceptedPasskeys(
  context: WebAuthnFlowContext,
  userId: string,
): Promise<AcceptedPasskeys> {
  const user = await getSignedInUser(context, userId)
  const { id: rpId, name: rpName } = await selectRelyingParty(context)
  const credentials = await listCredentials(context, userId)
  return {
    rpId,
    userIds: [await deriveUserHandle(userId), await deriveFirstHandle(userId)],
    credentialIds: credentials.map(({ id }) => id),
    ...describeUser(user, rpName),
  }
}

/** Returns the names of a user that devices show. */
function describeUser({ name, email }: User, rpName: string) {
  const userName = email || name || rpName
  return { name: userName, displayName: name || userName }
}

/** @throws WebAuthnVerificationError when the response is not valid */
export async function completeWebAuthnFlow(context: WebAuthnFlowContext): Promise<CompletedFlow> {
  const { request, provider } = context
  const credential = parseCredential(request.body)
  if (!credential) throw createVerificationError(provider, "`data` with the response of a device")
  const { challenge, isCrossOrigin } = credential
  const ceremony = await consumeCeremony(context, challenge)
  if (!ceremony || ceremony.kind !== readTextField(request.body, "action")) {
    const expected = "a challenge that this browser requested, and that has not been answered yet"
    const hint =
      "The page was open for more than 15 minutes, its cookie was blocked, or it was sent twice."
    throw createVerificationError(provider, expected, { hint })
  }
  // Sections 7.1 step 10 and 7.2 step 13: inside a frame, users do not see for which website they use a passkey.
  if (isCrossOrigin) throw createVerificationError(provider, "a page that is not in a frame")
  const { origins } = await selectRelyingParty(context)
  const response = {
    response: credential.response,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: ceremony.rpId,
  }
  const result =
    ceremony.kind === "register"
      ? await completeRegistration(context, ceremony, response)
      : await completeAuthentication(context, ceremony, response)
  await recordUsedChallenge(context, challenge)
  return result
}

async function listCredentials(context: WebAuthnFlowContext, userId: string) {
  const passkeys = await requireDatabase(context).store.listAuthenticatorsByUserId(userId)
  return passkeys.map(({ credentialID, transports }) => {
    const id = base64ToBase64Url(credentialID)
    const list = transports?.split(",").filter(Boolean)
    return list?.length ? { id, transports: list } : { id }
  })
}
