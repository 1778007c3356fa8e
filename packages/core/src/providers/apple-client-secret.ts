import { importPKCS8, SignJWT } from "jose"

/** A key for Sign in with Apple, as you register it with Apple. */
export interface AppleKey {
  /** The id of the developer team, ten characters. */
  teamId: string
  /** The id of the key, ten characters. */
  keyId: string
  /** The content of the `.p8` file (PEM, PKCS #8). Line breaks can be written as `\n`. */
  privateKey: string
}

/** Lifetime in seconds. A secret is used for one request; Apple accepts up to six months. */
const secretLifetime = 300

/**
 * Creates the client secret that Apple expects, a signed JWT.
 *
 * @throws TypeError when the key is invalid
 */
export async function createAppleClientSecret(clientId: string, key: AppleKey): Promise<string> {
  const signingKey = await importPKCS8(key.privateKey.replaceAll("\\n", "\n"), "ES256").catch(
    () => {
      // Without the cause, which may quote the key.
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
