/** Users with a password. Replace this with a table of your database. */
import { scrypt, timingSafeEqual } from "node:crypto"

/** A user whose password is hashed with scrypt and its own salt (RFC 7914). */
interface PasswordUser {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly salt: string
  readonly hash: string
}

/** The password is "correct horse battery staple". */
const ann: PasswordUser = {
  id: "ann",
  name: "Ann Archer",
  email: "ann@example.com",
  salt: "L-cAqaTqkTYzK7uF_Q1xkg",
  hash: "ktNpE2hSc_Bn2kmO8t_CPCb17u5zF6oyFVnVES5FqSQ",
}

const usersByEmail = new Map([[ann.email, ann]])

/** Returns the user with this email address and password, or null. Takes equally long whether or not the user exists. */
export async function findByPassword(email: unknown, password: unknown) {
  const user = usersByEmail.get(String(email).trim().toLowerCase())
  const { salt, hash } = user ?? ann
  const expected = Buffer.from(hash, "base64url")
  const isPasswordCorrect = timingSafeEqual(await hashPassword(String(password), salt), expected)
  if (!user || !isPasswordCorrect) return null
  return { id: user.id, name: user.name, email: user.email }
}

function hashPassword(password: string, salt: string): Promise<Buffer> {
  const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.from(salt, "base64url"), 32, cost, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
}
