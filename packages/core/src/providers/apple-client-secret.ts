import { importPKCS8, SignJWT } from "jose"

/** What Apple gives to a developer who registers a key for sign-in. */
export interface AppleKey {
  /** The ten characters that name the developer team. */
  teamId: string
  /** The ten characters that name the key. */
  keyId: string
  /** The content of the `.p8` file (PEM, PKCS #8); line breaks may be written as `\n`. */
  privateKey: string
}

/** Lifetime in seconds: a secret is made for one request. Apple takes up to six months. */
const secretLifetime = 300

/**
 * The client secret that Apple expects, a signed JWT.
 *
 * @throws TypeError when the key cannot be read
 */
export async function createAppleClientSecret(clientId: string, key: AppleKey): Promise<string> {
  const signingKey = await importPKCS8(key.privateKey.replaceAll("\\n", "\n"), "ES256").catch(
    () => {
      // Without the cause: it may quote what it could not read.
      throw new TypeError(
        "`privateKey` of provider apple must be the content of the .p8 file (PEM)",
      )
    },
  )
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: key.keyId })
    .setIssuer(key.teamId)
    .setSubject(clientId)
    .setAudience("https://appleid.apple.com")
    .setIssuedAt()
    .setExpirationTime(`${secretLifetime}s`)
    .sign(signingKey)
}
