/** The code of an authenticator app (RFC 6238). */
import { createHmac } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/**
 * Returns the code that an app shows.
 *
 * @param key in base32, as the page shows it
 * @param offset in steps of 30 seconds
 */
export function showCode(key: string, offset = 0): string {
  const digits = [...key.replaceAll(" ", "")].map((each) => alphabet.indexOf(each))
  const bits = digits.map((digit) => digit.toString(2).padStart(5, "0")).join("")
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + offset))
  const mac = createHmac("sha1", secret).update(message).digest()
  const number = mac.readUInt32BE((mac[19] ?? 0) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, "0")
}

/** Waits until a code of the step before stays valid for as long as it takes to send a form. */
export async function waitForStep(): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000)
  if (left < 10_000) await sleep(left)
}
