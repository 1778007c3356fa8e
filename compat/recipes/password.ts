import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import credentials from "@latchkey/core/providers/credentials"

const cost = { N: 2 ** 15, r: 8, p: 3 }

function derive(password: string, salt: Buffer, { N, r, p }: typeof cost): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // Keyboards may encode one letter in different ways: NFKC makes them equal.
    const text = password.normalize("NFKC")
    scrypt(text, salt, 32, { N, r, p, maxmem: 2 ** 26 }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return JSON.stringify({ ...cost, salt: salt.toString("base64"), key: key.toString("base64") })
}

/** A hash of no user: an unknown name has to take as long as a wrong password. */
const dummyHash = hashPassword(randomBytes(16).toString("hex"))

export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { salt, key, ...storedCost } = JSON.parse(hash ?? (await dummyHash))
  const derived = await derive(password, Buffer.from(salt, "base64"), storedCost)
  return timingSafeEqual(derived, Buffer.from(key, "base64")) && hash !== undefined
}

const members = new Map([
  ["ada", { id: "7", name: "Ada", hash: await hashPassword("correct horse") }],
])

export const password = credentials({
  name: "Password",
  credentials: {
    username: { label: "User name", autocomplete: "username", required: true },
    password: {
      label: "Password",
      type: "password",
      autocomplete: "current-password",
      required: true,
    },
  },
  async authorize({ username, password }) {
    if (typeof username !== "string" || typeof password !== "string") return null
    if (password.length > 200) return null
    const member = members.get(username.trim().toLowerCase())
    if (!(await verifyPassword(password, member?.hash)) || member === undefined) return null
    return { id: member.id, name: member.name }
  },
})
