/** Requests passkeys from a page, and shows the result. */
"use client"

import { client } from "@latchkey/next/react"
import { createPasskeys } from "@latchkey/next/webauthn"
import { useEffect, useState } from "react"

const passkeys = createPasskeys(client)

export default function Passkeys() {
  const [supported, setSupported] = useState(false)
  const [told, setTold] = useState("")
  const tell = async (asked: Promise<unknown>) => setTold(JSON.stringify(await asked))
  useEffect(() => setSupported(passkeys.isSupported()), [])
  return (
    <>
      <h1>Passkeys</h1>
      {supported && (
        <>
          <button type="button" onClick={() => tell(passkeys.addPasskey({ redirect: false }))}>
            Add a passkey
          </button>
          <button
            type="button"
            onClick={() => tell(passkeys.signIn({ redirectTo: "/probe/session" }))}
          >
            Use a passkey
          </button>
        </>
      )}
      <output>{told}</output>
    </>
  )
}
