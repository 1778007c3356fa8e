/** Loads the package that verifies passkeys. */
import type { CoreServices } from "../../config/core-services.ts"
import { InvalidProvider } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"

/**
 * Loads the package that verifies passkeys, which the application installs.
 *
 * @throws InvalidProvider when it is not installed, or cannot be loaded
 */
export async function loadWebAuthnServer({
  id,
  loadWebAuthnServer: load,
}: ResolvedWebAuthnProvider): Promise<WebAuthnServer> {
  let cause: unknown
  try {
    if (load) return await load()
  } catch (error) {
    cause = error
  }
  const expected = `provider ${id} to be able to load the package @simplewebauthn/server`
  const hint = "Install it: npm install @simplewebauthn/server@14"
  throw new InvalidProvider(omitUndefined({ provider: id, expected, hint, cause }))
}

/** Logs a missing package when the application starts, not when the first user signs in. */
export function logMissingPackage({ config, logger }: CoreServices): void {
  if (config.problems.length > 0) return
  for (const provider of config.providers.values()) {
    if (provider.type === "webauthn")
      loadWebAuthnServer(provider).catch((error) => logger.error(error))
  }
}
