/** The application's word on whether a proven person may come in. */
import type { ResolvedConfig } from "../config/resolved-config.ts"
import { AccessDenied, AuthError } from "../errors.ts"
import type { ProvenIdentity } from "../proven-identity.ts"
import type { CredentialInput, User } from "../types.ts"

/** They may, or the browser goes where the application says. */
export type SignInDecision =
  | { readonly kind: "allowed" }
  | { readonly kind: "redirect"; readonly url: string }

/**
 * Asks the `signIn` callback.
 *
 * @param user the stored user, where there is one
 * @param isVerificationRequest a link is asked for: nobody has proven anything yet
 * @throws AccessDenied when it refuses or fails; an AuthError that it throws is passed on, but for
 *   `verificationRequest`
 */
export async function authorizeSignIn(
  identity: ProvenIdentity,
  user: User,
  isVerificationRequest: boolean,
  config: ResolvedConfig,
): Promise<SignInDecision> {
  const { account, profile, credentials } = identity
  const callbackResult = await callSignInCallback(config, {
    user,
    account,
    ...(profile ? { profile } : {}),
    ...(isVerificationRequest ? { email: { verificationRequest: isVerificationRequest } } : {}),
    // The contract calls the typed values by the type of their fields.
    ...(credentials ? { credentials: credentials as Record<string, CredentialInput> } : {}),
  })
  if (!callbackResult) {
    throw new AccessDenied("The `signIn` callback refused.", { provider: account.provider })
  }
  return typeof callbackResult === "string"
    ? { kind: "redirect", url: callbackResult }
    : { kind: "allowed" }
}

type SignInParams = Parameters<ResolvedConfig["callbacks"]["signIn"]>[0]

async function callSignInCallback(config: ResolvedConfig, params: SignInParams): Promise<unknown> {
  try {
    return await config.callbacks.signIn(params)
  } catch (cause) {
    if (cause instanceof AuthError && !params.email?.verificationRequest) throw cause
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new AccessDenied(message, { provider: params.account?.provider, cause })
  }
}
