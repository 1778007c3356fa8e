/** Passkeys as second factors: those with which a user can also sign in. */
import type { AdapterFactor } from "../../adapters.ts"
import { findFactorErrors } from "../../config/checks/second-factor-checks.ts"
import type { StoreServices } from "../../config/core-services.ts"
import type { ResolvedConfig } from "../../config/resolved-config.ts"
import type { FactorMethod } from "../../config/second-factor-options.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"

/**
 * Passkeys as second factors after another sign-in. Needs a passkey provider whose sign-ins count as two factors.
 *
 * @example
 * secondFactor: { methods: [passkeys(), totp(), recoveryCodes()], accept: { passkey: true } }
 */
export function passkeys(): FactorMethod {
  return { id: "passkey", findConfigErrors: findFactorErrors }
}

/** Returns the provider of the passkeys that are second factors; undefined if none are. */
export function findPasskeyProvider({
  secondFactor,
  providers,
}: Pick<ResolvedConfig, "providers" | "secondFactor">): ResolvedWebAuthnProvider | undefined {
  if (!secondFactor?.methods.some(({ id }) => id === "passkey")) return undefined
  // With another one, a passkey could be both factors.
  return [...providers.values()].find(
    (provider) => provider.type === "webauthn" && secondFactor.accept?.[provider.id] === true,
  ) as ResolvedWebAuthnProvider | undefined
}

/** Returns the passkeys of a user as factors. They are not stored as such. */
export async function listPasskeyFactors(
  { store, config }: StoreServices,
  userId: string,
): Promise<readonly AdapterFactor[]> {
  const provider = findPasskeyProvider(config)
  if (!provider) return []
  const factors: AdapterFactor[] = []
  for (const { credentialID: id, providerAccountId } of await store.listAuthenticatorsByUserId(
    userId,
  )) {
    const account = await store.getAccount(providerAccountId, provider.id)
    // The database may compare ids loosely.
    if (String(account?.userId) !== userId) continue
    factors.push({ id, userId, method: "passkey", createdAt: new Date(0), version: 0, data: "" })
  }
  return factors
}
