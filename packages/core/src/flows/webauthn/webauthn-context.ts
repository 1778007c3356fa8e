/** The context that the steps of a sign-in with a passkey share. */
import type { AdapterStore } from "../../config/adapter-store.ts"
import type { CoreServices } from "../../config/core-services.ts"
import { type ErrorDetails, InvalidProvider, WebAuthnVerificationError } from "../../errors.ts"
import { omitUndefined } from "../../objects.ts"
import type { ResolvedWebAuthnProvider } from "../../providers/resolved-provider.ts"
import type { WebAuthnServer } from "../../providers/webauthn-types.ts"
import type { FlowContext } from "../flow-context.ts"
import type { ParsedCredential } from "./parse-credential.ts"

export interface WebAuthnFlowContext extends FlowContext {
  readonly provider: ResolvedWebAuthnProvider
}

/** A response of a device, and what verifies it. */
export interface CeremonyResponse {
  readonly provider: ResolvedWebAuthnProvider
  readonly store: AdapterStore
  readonly server: WebAuthnServer
  readonly credential: ParsedCredential
  /** The values that the response must match. */
  readonly expected: {
    readonly expectedChallenge: string
    readonly expectedOrigin: string[]
    readonly expectedRPID: string
  }
}

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

export function createVerificationError(
  { id }: ResolvedWebAuthnProvider,
  expected: string,
  details: Pick<ErrorDetails, "hint" | "cause"> = {},
): WebAuthnVerificationError {
  return new WebAuthnVerificationError({ provider: id, expected, ...details })
}
