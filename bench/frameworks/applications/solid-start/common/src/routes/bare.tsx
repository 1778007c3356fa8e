import { createAsync, query } from "@solidjs/router"

/** The same page without a session check. */
const readEmail = query(async () => {
  "use server"
  return "ada@example.com"
}, "bare")

export default function Bare() {
  const email = createAsync(() => readEmail(), { deferStream: true })
  return <h1>{email()}</h1>
}
