/** A device with passkeys, together with the browser between it and a page. */
import { concatBytes, encodeCbor } from "./cbor.ts"
import { generatePasskeyKeyPair, type PasskeyKeyPair } from "./key-pair.ts"
import { type AuthenticatorOverrides, encodeFlags } from "./overrides.ts"

/** Options of `navigator.credentials.create`, as JSON. May have more members. */
export interface PublicKeyCredentialCreationOptionsJSON {
  readonly challenge: string
  readonly rp: { readonly id?: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

/** Options of `navigator.credentials.get`, as JSON. May have more members. */
export interface PublicKeyCredentialRequestOptionsJSON {
  readonly challenge: string
  readonly rpId?: string
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** A passkey on the device. */
export interface VirtualPasskey {
  /** Base64url. */
  readonly id: string
  readonly rpId: string
  readonly userHandle: string
  readonly userName: string
  readonly keyPair: PasskeyKeyPair
  counter: number
}

/** The response that a page sends to its server, as JSON. */
export interface PublicKeyCredentialJSON {
  readonly id: string
  readonly rawId: string
  readonly type: "public-key"
  readonly authenticatorAttachment: "platform"
  readonly clientExtensionResults: object
  readonly response: Readonly<Record<string, string | readonly string[]>>
}

/** Options of `createVirtualAuthenticator`. */
export interface VirtualAuthenticatorOptions {
  /** Whether the device verifies the user. @defaultValue true */
  readonly verifiesUser?: boolean
  /** Whether the device counts signatures. Synced passkeys do not. @defaultValue true */
  readonly countsSignatures?: boolean
}

/** An AAGUID that does not reveal the model of the device. */
const zeros = "00000000-0000-0000-0000-000000000000"

/** An authenticator in software. Unless you override something, its responses are honest; its signatures are real. */
export class VirtualAuthenticator {
  /** The passkeys on the device, newest last. You may change the list. */
  readonly passkeys: VirtualPasskey[] = []
  readonly #options: VirtualAuthenticatorOptions

  constructor(options: VirtualAuthenticatorOptions = {}) {
    this.#options = options
  }

  /** Returns a device with copies of the passkeys. Their counters are independent from then on. */
  clone(): VirtualAuthenticator {
    const copy = new VirtualAuthenticator(this.#options)
    copy.passkeys.push(...this.passkeys.map((passkey) => ({ ...passkey })))
    return copy
  }

  /**
   * Creates a passkey (WebAuthn Level 3, sections 5.1.3 and 6.3.2).
   *
   * @param origin of the calling page
   * @throws DOMException (InvalidStateError) if the device has one of the excluded passkeys
   */
  async create(
    options: PublicKeyCredentialCreationOptionsJSON,
    origin: string,
    overrides: AuthenticatorOverrides = {},
  ): Promise<PublicKeyCredentialJSON> {
    if (options.excludeCredentials?.some(({ id }) => this.#findPasskey(id))) {
      throw new DOMException("The device already has a passkey of this user.", "InvalidStateError")
    }
    const rpId = options.rp.id ?? new URL(origin).hostname
    const passkey: VirtualPasskey = {
      id: overrides.credentialId ?? base64url(crypto.getRandomValues(new Uint8Array(32))),
      rpId,
      userHandle: options.user.id,
      userName: options.user.name,
      keyPair: await generatePasskeyKeyPair(),
      counter: 0,
    }
    const id = Buffer.from(passkey.id, "base64url")
    const length = Uint8Array.of(id.length >> 8, id.length & 0xff)
    const aaguid = Buffer.from((overrides.aaguid ?? zeros).replaceAll("-", ""), "hex")
    const attestedData = concatBytes(aaguid, length, id, passkey.keyPair.cosePublicKey)
    const authenticatorData = concatBytes(
      await this.#createAuthenticatorData(passkey, overrides, true),
      attestedData,
    )
    const attestation = new Map<string, string | Uint8Array | ReadonlyMap<string, never>>([
      ["fmt", overrides.attestation ?? "none"],
      ["attStmt", new Map<string, never>()],
      ["authData", authenticatorData],
    ])
    this.passkeys.push(passkey)
    return createCredentialJSON(passkey.id, {
      clientDataJSON: base64url(
        createClientData("webauthn.create", options.challenge, origin, overrides),
      ),
      attestationObject: base64url(encodeCbor(attestation)),
      transports: ["internal", "hybrid"],
    })
  }

  /**
   * Signs with the newest passkey that matches (sections 5.1.4 and 6.3.3).
   *
   * @throws DOMException (NotAllowedError) if none matches
   */
  async get(
    options: PublicKeyCredentialRequestOptionsJSON,
    origin: string,
    overrides: AuthenticatorOverrides = {},
  ): Promise<PublicKeyCredentialJSON> {
    const rpId = options.rpId ?? new URL(origin).hostname
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? []
    const passkey = this.passkeys.findLast(
      ({ id, rpId: passkeyRpId }) =>
        passkeyRpId === rpId && (allowed.length === 0 || allowed.includes(id)),
    )
    if (!passkey) throw new DOMException("No passkey matches.", "NotAllowedError")
    const clientDataBytes = createClientData("webauthn.get", options.challenge, origin, overrides)
    const authenticatorData = await this.#createAuthenticatorData(passkey, overrides, false)
    const signedData = concatBytes(authenticatorData, await sha256(clientDataBytes))
    const keyPair =
      overrides.signature === "foreign" ? await generatePasskeyKeyPair() : passkey.keyPair
    const signature = await keyPair.sign(signedData)
    if (overrides.signature === "broken")
      signature.set([(signature.at(-1) ?? 0) ^ 1], signature.length - 1)
    return createCredentialJSON(overrides.credentialId ?? passkey.id, {
      clientDataJSON: base64url(clientDataBytes),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
      userHandle: overrides.userHandle ?? passkey.userHandle,
    })
  }

  #findPasskey(id: string): VirtualPasskey | undefined {
    return this.passkeys.find((passkey) => passkey.id === id)
  }

  /** Creates the authenticator data (section 6.1) up to the counter. */
  async #createAuthenticatorData(
    passkey: VirtualPasskey,
    overrides: AuthenticatorOverrides,
    hasAttestedData: boolean,
  ): Promise<Uint8Array> {
    const { verifiesUser = true, countsSignatures = true } = this.#options
    if (countsSignatures) passkey.counter += 1
    const counter = new Uint8Array(4)
    new DataView(counter.buffer).setUint32(0, overrides.counter ?? passkey.counter)
    const rpIdHash = await sha256(new TextEncoder().encode(overrides.rpId ?? passkey.rpId))
    return concatBytes(
      rpIdHash,
      Uint8Array.of(encodeFlags(overrides, verifiesUser, hasAttestedData)),
      counter,
    )
  }
}

/**
 * Creates a device with passkeys, for tests without a browser.
 *
 * @example
 * const device = createVirtualAuthenticator()
 * const { options } = await (await alice.fetch("/auth/webauthn-options/passkey?action=authenticate")).json()
 * const data = JSON.stringify(await device.get(options, alice.origin))
 * await alice.post("/auth/callback/passkey", { action: "authenticate", data })
 */
export function createVirtualAuthenticator(
  options: VirtualAuthenticatorOptions = {},
): VirtualAuthenticator {
  return new VirtualAuthenticator(options)
}

/** Creates the client data, as the browser does (section 5.8.1). */
function createClientData(
  type: string,
  challenge: string,
  origin: string,
  overrides: AuthenticatorOverrides,
): Uint8Array<ArrayBuffer> {
  const { topOrigin, crossOrigin = false } = overrides
  const data = {
    type: overrides.type ?? type,
    challenge: overrides.challenge ?? challenge,
    origin: overrides.origin ?? origin,
    crossOrigin,
    ...(topOrigin === undefined ? {} : { topOrigin }),
  }
  return new TextEncoder().encode(JSON.stringify(data))
}

function createCredentialJSON(
  id: string,
  response: PublicKeyCredentialJSON["response"],
): PublicKeyCredentialJSON {
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
