import { connection } from "next/server"

/** The same page without a session check, which is also rendered for each request. */
export async function auth() {
  await connection()
  return { user: { email: "ada@example.com" } }
}
