/** The package that verifies passkeys, which the application installs. */
import { InvalidProvider } from "../../errors.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"

/**
 * Loads the package; the module system keeps it.
 *
 * @throws InvalidProvider when it is not installed, or cannot be loaded
 */
export async function serverOf({ id, load }: ResolvedWebAuthnProvider): Promise<WebAuthnServer> {
  try {
    if (load) return await load()
  } catch (cause) {
    throw missing(id, cause)
  }
  throw missing(id, undefined)
}

function missing(provider: string, cause: unknown): InvalidProvider {
  return new InvalidProvider({
    provider,
    expected: `provider ${provider} to be able to load the package @simplewebauthn/server`,
    hint: "Install it: npm install @simplewebauthn/server@14",
    ...(cause === undefined ? {} : { cause }),
  })
}
