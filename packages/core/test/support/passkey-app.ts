/** A site with passkeys, and users with authenticators. */
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import type { WebAuthnUserConfig } from "@latchkey/core/providers"
import passkey from "@latchkey/core/providers/passkey"
import {
  type AuthenticatorOverrides,
  type BrowserOptions,
  createVirtualAuthenticator,
  type PublicKeyCredentialJSON,
  type TestBrowser,
  type VirtualAuthenticator,
} from "@latchkey/testing"
import { createTestApp, type TestApp, type TestAppConfig } from "./test-app.ts"
import { createTestDatabase, type TestDatabase } from "./test-database.ts"

type CeremonyAction = "register" | "authenticate"

export interface PasskeyApp extends TestApp, TestDatabase {
  /** A user with their own browser and authenticator. */
  openPasskeyBrowser(device?: VirtualAuthenticator, options?: BrowserOptions): PasskeyBrowser
  /** The stored passkeys. */
  listPasskeys(): AdapterAuthenticator[]
}

export async function createPasskeyApp(
  changes: Partial<TestAppConfig> = {},
  provider: WebAuthnUserConfig = {},
): Promise<PasskeyApp> {
  const database = await createTestDatabase()
  const app = createTestApp({
    adapter: database.adapter,
    providers: [passkey(provider)],
    experimental: { enableWebAuthn: true },
    ...changes,
  })
  return {
    ...database,
    ...app,
    openPasskeyBrowser: (device, options) => new PasskeyBrowser(app.openBrowser(options), device),
    listPasskeys: () => database.rows("Authenticator") as unknown as AdapterAuthenticator[],
  }
}

/** The response of the options endpoint. */
export interface OptionsResponse {
  readonly status: number
  readonly action?: CeremonyAction
  readonly error?: string
  readonly options?: {
    readonly challenge: string
    readonly rp: { readonly id: string; readonly name: string }
    readonly rpId: string
    readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
    readonly allowCredentials?: readonly { readonly id: string }[]
    readonly excludeCredentials?: readonly { readonly id: string }[]
    readonly authenticatorSelection?: object
    readonly userVerification?: string
    readonly timeout?: number
  }
}

/** Does what the page's script does. */
export class PasskeyBrowser {
  readonly browser: TestBrowser
  readonly device: VirtualAuthenticator
  constructor(browser: TestBrowser, device: VirtualAuthenticator = createVirtualAuthenticator()) {
    this.browser = browser
    this.device = device
  }

  /** Asks for options. */
  async requestOptions(
    fields: Record<string, string> = {},
    provider = "passkey",
  ): Promise<OptionsResponse> {
    const query = new URLSearchParams(fields)
    const path = this.browser.getRoutePath(`webauthn-options/${provider}?${query}`)
    const response = await this.browser.fetch(path)
    const body: Omit<OptionsResponse, "status"> = await response.json()
    return { status: response.status, ...body }
  }

  /** Creates the authenticator's response. */
  async createResponse(
    optionsResponse: OptionsResponse,
    twist: AuthenticatorOverrides = {},
  ): Promise<PublicKeyCredentialJSON> {
    const { options } = optionsResponse
    if (!options) throw new Error(`There is nothing to answer: ${JSON.stringify(optionsResponse)}`)
    const { origin } = this.browser
    return optionsResponse.action === "register"
      ? this.device.create(options, origin, twist)
      : this.device.get(options, origin, twist)
  }

  /** Sends a response. */
  sendResponse(
    action: string,
    data: PublicKeyCredentialJSON,
    fields: Record<string, string> = {},
    provider = "passkey",
  ) {
    const path = this.browser.getRoutePath(`callback/${provider}`)
    return this.browser.post(path, { action, data: JSON.stringify(data), ...fields })
  }

  /** The whole ceremony. */
  async runCeremony(
    fields: Record<string, string>,
    twist: AuthenticatorOverrides = {},
  ): Promise<Response> {
    const optionsResponse = await this.requestOptions(fields)
    return this.sendResponse(
      String(optionsResponse.action),
      await this.createResponse(optionsResponse, twist),
    )
  }

  /** Registers a new user. The address names the passkey on the device; only the name is stored. */
  register(address: string, twist: AuthenticatorOverrides = {}): Promise<Response> {
    const name = toName(address)
    return this.runCeremony({ action: "register", email: address, name }, twist)
  }

  signIn(twist: AuthenticatorOverrides = {}): Promise<Response> {
    return this.runCeremony({ action: "authenticate" }, twist)
  }

  async readName(): Promise<string | null | undefined> {
    return (await this.browser.getSession())?.user?.name
  }
}

/** The name of a user who registers with an address: the part before the sign. */
const toName = (address: string): string => address.trim().replace(/@.*/, "").toLowerCase()
