/** Calls the application's `signIn` callback. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { AccessDenied, AuthError } from "../errors.ts"
import type { FlowContext } from "../flows/flow.ts"
import { addRequest } from "../http/request-view.ts"
import { omitUndefined } from "../objects.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { User } from "../types.ts"

type SignInParams = Parameters<ResolvedConfig["callbacks"]["signIn"]>[0]

/**
 * Calls the `signIn` callback. Returns the URL to redirect to instead of signing in, if the callback decided so.
 *
 * @param user the stored user, if there is one
 * @param isVerificationRequest whether a link is requested, so that nothing is proven yet
 * @throws AccessDenied when it refuses or fails; an AuthError that it throws is passed on, but for
 *   `verificationRequest`
 */
export async function authorizeSignIn(
  { account, profile, credentials }: ProvenIdentity,
  user: User,
  isVerificationRequest: boolean,
  { request, config: { callbacks, customCallbacks } }: FlowContext,
): Promise<string | undefined> {
  if (!customCallbacks.has("signIn")) return undefined // the default allows every sign-in
  const { provider } = account
  const email = isVerificationRequest ? { verificationRequest: true } : undefined
  // Auth.js gives the values of the fields the type of the fields.
  const params = omitUndefined({ user, account, profile, email, credentials }) as SignInParams
  let result: unknown
  try {
    result = await callbacks.signIn(addRequest(params, request))
  } catch (cause) {
    if (cause instanceof AuthError && !isVerificationRequest) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new AccessDenied(message, { provider, cause })
  }
  if (!result) throw new AccessDenied("The `signIn` callback refused.", { provider })
  return typeof result === "string" ? result : undefined
}
