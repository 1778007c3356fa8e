import Link from "next/link"
import { auth } from "../auth.ts"

export const metadata = { title: "Welcome – Latchkey + Next.js" }

export default async function Home() {
  const session = await auth()
  return (
    <>
      <h1>Welcome</h1>
      <p>{session ? `Signed in as ${session.user.name}.` : "You are signed out."}</p>
      <p>
        <Link href="/members">Members only</Link>
      </p>
    </>
  )
}
