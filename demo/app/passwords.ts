/** Hashes passwords with scrypt (RFC 7914), each with its own salt. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto"

const keyLength = 32
/** 32 MiB per hash, three passes. */
const scryptCost = { N: 2 ** 15, r: 8, p: 3 }
const maxMemory = 64 * 2 ** 20

/** Returns the hash with its parameters, so that you can raise the cost later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await deriveKey(password, salt, scryptCost)
  const { N, r, p } = scryptCost
  return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$")
}

/** Whether the password matches the hash. Takes equally long without a hash. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt, key] = (hash ?? (await getDummyHash())).split("$")
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const expected = Buffer.from(key ?? "", "base64url")
  const derived = await deriveKey(password, Buffer.from(salt ?? "", "base64url"), cost)
  const isEqual = expected.length === derived.length && timingSafeEqual(expected, derived)
  return isEqual && hash !== undefined
}

let dummyHash: Promise<string> | undefined

/** Returns a hash that no password matches. */
function getDummyHash(): Promise<string> {
  dummyHash ??= hashPassword(randomBytes(16).toString("hex"))
  return dummyHash
}

function deriveKey(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { ...cost, maxmem: maxMemory }
    scrypt(password.normalize("NFKC"), salt, keyLength, options, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
