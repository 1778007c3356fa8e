import { Suspense } from "react"
import { requireSession } from "../../auth"
import { signOutAction } from "./actions"

export default function Page() {
  return (
    <main>
      <Suspense>
        <Members />
      </Suspense>
    </main>
  )
}

async function Members() {
  const session = await requireSession()
  return (
    <>
      <h1>Members only</h1>
      <p>Hello {session.user?.name}. Only members can read this.</p>
      <form action={signOutAction}>
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
