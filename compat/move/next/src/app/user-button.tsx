"use client"

import { signIn, useSession } from "next-auth/react"

export function UserButton() {
  const { data: session, status, update } = useSession()
  if (status === "loading") return null
  if (!session)
    return (
      <button type="button" onClick={() => signIn("keycloak")}>
        Nobody
      </button>
    )
  return (
    <button type="button" onClick={() => update({ name: "Ada" })}>
      {session.user?.role}
    </button>
  )
}
