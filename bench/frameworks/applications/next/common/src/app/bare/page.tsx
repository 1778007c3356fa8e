import { connection } from "next/server"

/** The same page without a session check, which is also rendered for each request. */
export default async function Bare() {
  await connection()
  return <h1>ada@example.com</h1>
}
