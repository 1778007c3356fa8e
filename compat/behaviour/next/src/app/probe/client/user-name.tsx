"use client"

import { signOut, useSession } from "@latchkey/next/react"

export function UserName() {
  const { data, status, update } = useSession()
  return (
    <>
      <p>{status === "authenticated" ? `Hello ${data.user?.name}` : status}</p>
      <button type="button" onClick={() => update({ name: "Annie" })}>
        Rename
      </button>
      <button type="button" onClick={() => signOut({ redirect: false })}>
        Leave
      </button>
    </>
  )
}
