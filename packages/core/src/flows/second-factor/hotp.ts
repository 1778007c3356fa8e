/** One-time passwords by a counter (RFC 4226). Apart from the public types, which older compilers read. */

/** Computes the code of a step: HOTP (RFC 4226 section 5.3). */
export async function computeCode(secret: Uint8Array<ArrayBuffer>, step: number): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-1" }
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"])
  const message = new DataView(new ArrayBuffer(8))
  message.setBigUint64(0, BigInt(step))
  const mac = new DataView(await crypto.subtle.sign("HMAC", key, message))
  const offset = mac.getUint8(19) & 15
  const number = mac.getUint32(offset) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, "0")
}
