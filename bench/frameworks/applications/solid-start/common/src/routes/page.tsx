import { createAsync, query } from "@solidjs/router"
import { readSession } from "../session.ts"

const readEmail = query(async () => {
  "use server"
  return (await readSession())?.user?.email
}, "page")

export default function Page() {
  const email = createAsync(() => readEmail(), { deferStream: true })
  return <h1>{email()}</h1>
}
