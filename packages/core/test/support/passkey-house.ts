/** A site that people enter with passkeys, and people with devices. */
import type { AdapterAuthenticator } from "@latchkey/core/adapters"
import type { WebAuthnUserConfig } from "@latchkey/core/providers"
import passkey from "@latchkey/core/providers/passkey"
import {
  type Browser,
  type BrowserOptions,
  type DeviceAnswer,
  type SoftAuthenticator,
  softAuthenticator,
  type Twist,
} from "@latchkey/testing"
import { type Application, type ApplicationConfig, application } from "./application.ts"
import { type World, world } from "./world.ts"

type Action = "register" | "authenticate"

export interface PasskeyHouse extends Application, World {
  /** A person with a browser and a device of their own. */
  person(device?: SoftAuthenticator, options?: BrowserOptions): PasskeyPerson
  /** The stored passkeys. */
  passkeys(): AdapterAuthenticator[]
}

export async function passkeyHouse(
  changes: Partial<ApplicationConfig> = {},
  provider: WebAuthnUserConfig = {},
): Promise<PasskeyHouse> {
  const stored = await world()
  const served = application({
    adapter: stored.adapter,
    providers: [passkey(provider)],
    experimental: { enableWebAuthn: true },
    ...changes,
  })
  return {
    ...stored,
    ...served,
    person: (device, options) => new PasskeyPerson(served.visitor(options), device),
    passkeys: () => stored.rows("Authenticator") as unknown as AdapterAuthenticator[],
  }
}

/** What the options endpoint answers. */
export interface Asked {
  readonly status: number
  readonly action?: Action
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

/** Somebody who does by hand what the page's script does. */
export class PasskeyPerson {
  readonly browser: Browser
  readonly device: SoftAuthenticator
  constructor(browser: Browser, device: SoftAuthenticator = softAuthenticator()) {
    this.browser = browser
    this.device = device
  }

  /** Asks for options. */
  async ask(fields: Record<string, string> = {}, provider = "passkey"): Promise<Asked> {
    const query = new URLSearchParams(fields)
    const path = this.browser.path(`webauthn-options/${provider}?${query}`)
    const answer = await this.browser.fetch(path)
    const body: Omit<Asked, "status"> = await answer.json()
    return { status: answer.status, ...body }
  }

  /** Lets the device answer. */
  async answer(asked: Asked, twist: Twist = {}): Promise<DeviceAnswer> {
    const { options } = asked
    if (!options) throw new Error(`There is nothing to answer: ${JSON.stringify(asked)}`)
    const { origin } = this.browser
    return asked.action === "register"
      ? this.device.create(options, origin, twist)
      : this.device.get(options, origin, twist)
  }

  /** Sends an answer. */
  send(
    action: string,
    data: DeviceAnswer,
    more: Record<string, string> = {},
    provider = "passkey",
  ) {
    const path = this.browser.path(`callback/${provider}`)
    return this.browser.post(path, { action, data: JSON.stringify(data), ...more })
  }

  /** The whole ceremony. */
  async enter(fields: Record<string, string>, twist: Twist = {}): Promise<Response> {
    const asked = await this.ask(fields)
    return this.send(String(asked.action), await this.answer(asked, twist))
  }

  register(email: string, twist: Twist = {}): Promise<Response> {
    return this.enter({ action: "register", email }, twist)
  }

  signIn(twist: Twist = {}): Promise<Response> {
    return this.enter({ action: "authenticate" }, twist)
  }

  async email(): Promise<string | null | undefined> {
    return (await this.browser.session())?.user?.email
  }
}
