/** Requests passkeys from a page, and shows the result. */
import { component$, useSignal } from "@builder.io/qwik"
import { client } from "@latchkey/qwik/client"
import { createPasskeys } from "@latchkey/qwik/webauthn"

const passkeys = createPasskeys(client)

export default component$(() => {
  const told = useSignal("")
  return (
    <>
      <h1>Passkeys</h1>
      <button
        type="button"
        onClick$={async () => {
          told.value = JSON.stringify(await passkeys.addPasskey({ redirect: false }))
        }}
      >
        Add a passkey
      </button>
      <button
        type="button"
        onClick$={async () => {
          told.value = JSON.stringify(await passkeys.signIn({ redirectTo: "/probe/session" }))
        }}
      >
        Use a passkey
      </button>
      <output>{told.value}</output>
    </>
  )
})
