/** Requests passkeys from a page, and shows the result. */
import { client } from "@latchkey/solid-start/client"
import { createPasskeys } from "@latchkey/solid-start/webauthn"
import { createSignal, onMount, Show } from "solid-js"

const passkeys = createPasskeys(client)

export default function Passkeys() {
  const [supported, setSupported] = createSignal(false)
  const [told, setTold] = createSignal("")
  const tell = async (asked: Promise<unknown>) => setTold(JSON.stringify(await asked))
  onMount(() => setSupported(passkeys.isSupported()))
  return (
    <>
      <h1>Passkeys</h1>
      <Show when={supported()}>
        <button type="button" onClick={() => tell(passkeys.addPasskey({ redirect: false }))}>
          Add a passkey
        </button>
        <button
          type="button"
          onClick={() => tell(passkeys.signIn({ redirectTo: "/probe/session" }))}
        >
          Use a passkey
        </button>
      </Show>
      <output>{told()}</output>
    </>
  )
}
