/** Starts sessions in a sealed cookie. */
import type { CoreServices } from "../../config/core-services.ts"
import { AccessDenied } from "../../errors.ts"
import type { SessionContext } from "../../http/session-context.ts"
import { omitUndefined } from "../../objects.ts"
import type { SignInResult } from "../../proven-identity.ts"
import type { JWT } from "../../types.ts"
import { newRecords, sealedRecords } from "../lazy-records.ts"
import {
  computeTokenEnd,
  createSessionFacts,
  getCurrentSecond,
  toFactsClaim,
} from "../session-facts.ts"
import { deleteSessionCookie } from "../session-strategy.ts"
import { checkSession, getChecks, listTokens } from "./check-session.ts"
import { markEnded } from "./end-session.ts"
import { collectProviderTokens } from "./provider-tokens.ts"
import { callJwtCallback, type JwtParams, writeToken } from "./update-session.ts"

/** See `SessionStrategy.startSession`. */
export async function startSession(
  services: CoreServices,
  context: SessionContext,
  signInResult: SignInResult,
): Promise<string | undefined> {
  const { config } = services
  const { records, providerTokens } = config.session
  const { account, profile, user, isNewUser, isAddedAccount } = signInResult
  const params: JwtParams = {
    ...omitUndefined({ account, profile, user, isNewUser }),
    token: omitUndefined({
      name: user.name,
      email: user.email,
      picture: user.image,
      // Some databases use numbers as ids.
      sub: user.id === undefined ? undefined : String(user.id),
    }),
    trigger: isNewUser ? "signUp" : "signIn",
  }
  const old = await checkSession(services, context)
  const oldFacts = old.kind === "valid" ? old.facts : {}
  const continued = isAddedAccount ? oldFacts : undefined
  const newFacts = createSessionFacts(signInResult, config, continued)
  const signedInAt = continued?.createdAt ?? getCurrentSecond()
  if (providerTokens) params.token["providerTokens"] = collectProviderTokens(old, signInResult)
  const userId = String(user.id ?? user.email ?? "")
  const facts = records
    ? await sealedRecords.addUserFacts(services, signInResult, userId, newFacts)
    : newFacts
  const token = await callJwtCallback(config, context, params, signedInAt, toFactsClaim(facts))
  await assertUserExists(services, signInResult)
  if (token && records) {
    const end = computeTokenEnd(config, token)
    const session = { userId, facts, end, continuedId: oldFacts.id }
    await newRecords.saveStartedSession(services, context, signInResult, session)
  }
  if (token === null) deleteSessionCookie(context)
  else await writeToken(services, context, token, false)
  const getUser = ({ sub, email }: JWT) => sub ?? email
  // A late response with an older session of the same user must not sign them out.
  const others = listTokens(context).filter(
    (each) => getUser(each) !== getUser(token ?? params.token),
  )
  await markEnded(services, context, others)
  if (records)
    for (const each of getChecks(context)) await sealedRecords.endReplacedSession(services, each)
  return token ? facts.id : undefined
}

/** @throws AccessDenied if the user was deleted since the sign-in began: nothing else would end the session */
async function assertUserExists(
  { store, config }: CoreServices,
  { user, account, isKnownUser }: SignInResult,
): Promise<void> {
  if (!store || !isKnownUser || typeof config.adapter?.getUser !== "function") return
  if (await store.getUser(String(user.id))) return
  const { provider } = account
  throw new AccessDenied({
    provider,
    expected: "a user who was not deleted meanwhile",
    hint: "Nothing has to be changed.",
  })
}
