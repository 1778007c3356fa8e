import Link from "next/link"
import { requireSession } from "../../auth.ts"

export const metadata = { title: "Members only – Latchkey + Next.js" }

export default async function Members() {
  const session = await requireSession()
  return (
    <>
      <h1>Members only</h1>
      <p>Only users who are signed in can read this, {session.user.name}.</p>
      <p>
        <Link href="/account">Your account</Link>
      </p>
    </>
  )
}
