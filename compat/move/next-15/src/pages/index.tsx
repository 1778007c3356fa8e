import { signIn, signOut, useSession } from "next-auth/react"

export default function Home() {
  const { data: session, status } = useSession()
  if (status === "loading") return <p>Loading</p>
  if (!session)
    return (
      <button type="button" onClick={() => signIn()}>
        Sign in
      </button>
    )
  return (
    <p>
      {session.user?.name} is a {session.user.role}.
      <button type="button" onClick={() => signOut({ callbackUrl: "/" })}>
        Sign out
      </button>
    </p>
  )
}
