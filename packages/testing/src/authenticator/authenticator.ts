/** A device with passkeys, and the browser that stands between it and a page. */
import { cbor, joined } from "./cbor.ts"
import { type PasskeyKeys, passkeyKeys } from "./keys.ts"
import { flagsOf, type Twist } from "./twist.ts"

/** What a page hands to `navigator.credentials.create`, as JSON; more may be there. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id?: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

/** What a page hands to `navigator.credentials.get`, as JSON; more may be there. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId?: string
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** A passkey on the device. */
export interface SoftPasskey {
  /** Base64url. */
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly userName: string
  readonly keys: PasskeyKeys
  counter: number
}

/** What a page sends to its server, as JSON. */
export interface DeviceAnswer {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly authenticatorAttachment: "platform"
  readonly clientExtensionResults: object
  readonly response: Readonly<Record<string, string | readonly string[]>>
}

/** How a device is made. */
export interface SoftAuthenticatorOptions {
  /** Whether it checks the person. @defaultValue true */
  readonly verifies?: boolean
  /** Whether it counts signatures; synchronised passkeys do not. @defaultValue true */
  readonly counts?: boolean
}

/** A device in software, honest unless told otherwise. Its signatures are real. */
export class SoftAuthenticator {
  /** The passkeys on it, the newest last. May be changed. */
  readonly passkeys: SoftPasskey[] = []
  readonly #options: SoftAuthenticatorOptions

  constructor(options: SoftAuthenticatorOptions = {}) {
    this.#options = options
  }

  /** A device with copies of the passkeys, which count on their own from here. */
  clone(): SoftAuthenticator {
    const copy = new SoftAuthenticator(this.#options)
    copy.passkeys.push(...this.passkeys.map((passkey) => ({ ...passkey })))
    return copy
  }

  /**
   * Makes a passkey (WebAuthn Level 3, sections 5.1.3 and 6.3.2).
   *
   * @param origin of the page that asks
   * @throws DOMException (InvalidStateError) when it has one of the excluded passkeys
   */
  async create(options: CreationOptions, origin: string, twist: Twist = {}): Promise<DeviceAnswer> {
    if (options.excludeCredentials?.some(({ id }) => this.#find(id))) {
      throw new DOMException("The device has a passkey of this user.", "InvalidStateError")
    }
    const rpId = options.rp.id ?? new URL(origin).hostname
    const passkey: SoftPasskey = {
      id: twist.credentialId ?? base64url(crypto.getRandomValues(new Uint8Array(32))),
      rpId,
      userHandle: options.user.id,
      userName: options.user.name,
      keys: await passkeyKeys(),
      counter: 0,
    }
    const id = Buffer.from(passkey.id, "base64url")
    const length = Uint8Array.of(id.length >> 8, id.length & 0xff)
    // The model of the device is left out: sixteen zeros.
    const attested = joined(new Uint8Array(16), length, id, passkey.keys.cose)
    const data = joined(await this.#data(passkey, twist, true), attested)
    const attestation = new Map<string, string | Uint8Array | ReadonlyMap<string, never>>([
      ["fmt", twist.attestation ?? "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", data],
    ])
    this.passkeys.push(passkey)
    return answer(passkey.id, {
      clientDataJSON: base64url(clientData("webauthn.create", options.challenge, origin, twist)),
      attestationObject: base64url(cbor(attestation)),
      transports: ["internal", "hybrid"],
    })
  }

  /**
   * Uses a passkey (sections 5.1.4 and 6.3.3): the newest one that fits.
   *
   * @throws DOMException (NotAllowedError) when none fits
   */
  async get(options: RequestOptions, origin: string, twist: Twist = {}): Promise<DeviceAnswer> {
    const rpId = options.rpId ?? new URL(origin).hostname
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? []
    const passkey = this.passkeys.findLast(
      ({ id, rpId: own }) => own === rpId && (allowed.length === 0 || allowed.includes(id)),
    )
    if (!passkey) throw new DOMException("No passkey fits.", "NotAllowedError")
    const client = clientData("webauthn.get", options.challenge, origin, twist)
    const data = await this.#data(passkey, twist, false)
    const signed = joined(data, await sha256(client))
    const keys = twist.signature === "foreign" ? await passkeyKeys() : passkey.keys
    const signature = await keys.sign(signed)
    if (twist.signature === "broken")
      signature.set([(signature.at(-1) ?? 0) ^ 1], signature.length - 1)
    return answer(twist.credentialId ?? passkey.id, {
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
      userHandle: passkey.userHandle,
    })
  }

  #find(id: string): SoftPasskey | undefined {
    return this.passkeys.find((passkey) => passkey.id === id)
  }

  /** The authenticator data (section 6.1) without what comes after the counter. */
  async #data(passkey: SoftPasskey, twist: Twist, attested: boolean): Promise<Uint8Array> {
    const { verifies = true, counts = true } = this.#options
    if (counts) passkey.counter += 1
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, twist.counter ?? passkey.counter)
    const rpIdHash = await sha256(new TextEncoder().encode(twist.rpId ?? passkey.rpId))
    return joined(rpIdHash, Uint8Array.of(flagsOf(twist, verifies, attested)), counter)
  }
}

/**
 * A device with passkeys for tests without a browser.
 *
 * @example
 * const device = softAuthenticator()
 * const { options } = await (await alice.fetch("/auth/webauthn-options/passkey?action=authenticate")).json()
 * const data = JSON.stringify(await device.get(options, alice.origin))
 * await alice.post("/auth/callback/passkey", { action: "authenticate", data })
 */
export function softAuthenticator(options: SoftAuthenticatorOptions = {}): SoftAuthenticator {
  return new SoftAuthenticator(options)
}

/** What the browser adds (section 5.8.1). */
function clientData(
  type: string,
  challenge: string,
  origin: string,
  twist: Twist,
): Uint8Array<ArrayBuffer> {
  const { topOrigin, crossOrigin = false } = twist
  const data = {
    type: twist.type ?? type,
    challenge: twist.challenge ?? challenge,
    origin: twist.origin ?? origin,
    crossOrigin,
    ...(topOrigin === undefined ? {} : { topOrigin }),
  }
  return new TextEncoder().encode(JSON.stringify(data))
}

function answer(id: string, response: DeviceAnswer["response"]): DeviceAnswer {
  return {
    id,
    rawId: id,
    type: "public-key",
    authenticatorAttachment: "platform",
    clientExtensionResults: {},
    response,
  }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url")
}
