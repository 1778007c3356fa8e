/** The package that verifies passkeys, which the application installs. */
import { InvalidProvider } from "../../errors.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"

/**
 * Loads the package; the module system keeps it.
 *
 * @throws InvalidProvider when it is not installed, or cannot be loaded
 */
export async function loadWebAuthnServer({
  id,
  loadWebAuthnServer: load,
}: ResolvedWebAuthnProvider): Promise<WebAuthnServer> {
  try {
    if (load) return await load()
  } catch (cause) {
    throw createMissingPackageError(id, cause)
  }
  throw createMissingPackageError(id, undefined)
}

function createMissingPackageError(provider: string, cause: unknown): InvalidProvider {
  return new InvalidProvider({
    provider,
    expected: `provider ${provider} to be able to load the package @simplewebauthn/server`,
    hint: "Install it: npm install @simplewebauthn/server@14",
    ...(cause === undefined ? {} : { cause }),
  })
}
