import Link from "next/link"
import { Suspense } from "react"
import { auth } from "../auth"
import { signOutAction } from "./members/actions"

export default function Page() {
  return (
    <main>
      <h1>Welcome</h1>
      <Suspense>
        <SignInState />
      </Suspense>
    </main>
  )
}

async function SignInState() {
  const session = await auth()
  return (
    <>
      <p>
        {session ? "You are signed in." : "You are signed out."}{" "}
        <Link href="/members">Members only</Link>
      </p>
      {session && (
        <form action={signOutAction}>
          <button type="submit">Sign out</button>
        </form>
      )}
    </>
  )
}
