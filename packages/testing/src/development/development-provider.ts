/** The provider that applications use in development, before they are registered at a real one. */
import { randomBytes } from "node:crypto"
import { customFetch } from "@latchkey/core"
import type { ClientOptions } from "../provider/client-configuration.ts"
import type { ScriptedUser } from "../provider/types.ts"
import { assertDevelopment } from "./assert-development.ts"
import { defaultUsers } from "./default-users.ts"
import { type IdentityProvider, startIdentityProvider } from "./identity-provider.ts"

/** Options of `developmentProvider`. */
export interface DevelopmentProviderOptions {
  /**
   * The people to choose from. Their additional members become claims.
   * @defaultValue three made-up people
   */
  readonly users?: readonly ScriptedUser[]
}

/** A provider for the configuration of an application. */
export interface DevelopmentProvider extends ClientOptions {
  readonly id: "development"
  readonly name: string
  readonly type: "oidc"
}

/** Never resolved: the application's requests stay in its process, and the browser gets an address of its own. */
const issuer = "http://development.localhost"
const clientId = "development"
const clientSecret = randomBytes(32).toString("base64url")

let users: readonly ScriptedUser[] = defaultUsers
let identityProvider: Promise<IdentityProvider> | undefined

/**
 * Creates a provider that shows a list of made-up people to sign in as. Its sign-in page is on a free port of this
 * computer, which is opened at the first sign-in; everything else happens within the process.
 *
 * Only for development: whoever reaches the page can sign in as anybody on the list. It accepts only applications on
 * this computer.
 *
 * @throws TypeError unless `NODE_ENV` is `development` or `test`, or if `AUTH_URL` is not an address of this computer
 * @example
 * if (process.env.NODE_ENV === "development") {
 *   const { developmentProvider } = await import("@latchkey/testing/development")
 *   providers.push(developmentProvider())
 * }
 */
export function developmentProvider(options: DevelopmentProviderOptions = {}): DevelopmentProvider {
  assertDevelopment(process.env)
  users = options.users ?? defaultUsers
  return {
    id: "development",
    name: "Development",
    type: "oidc",
    issuer,
    clientId,
    clientSecret,
    [customFetch]: fetchInProcess,
  }
}

/** Calls the endpoints that the application uses. Development servers evaluate configurations again and again. */
const fetchInProcess: typeof fetch = async (input, init) => {
  assertDevelopment(process.env)
  identityProvider ??= startIdentityProvider({ issuer, clientId, clientSecret }, () => users)
  try {
    const { fetch } = await identityProvider
    return fetch(input, init)
  } catch (error) {
    identityProvider = undefined
    throw error
  }
}
