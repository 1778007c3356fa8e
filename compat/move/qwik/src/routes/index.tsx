import { component$ } from "@builder.io/qwik"
import { useSession, useSignIn, useSignOut } from "./plugin@auth"

export default component$(() => {
  const session = useSession()
  const signIn = useSignIn()
  const signOut = useSignOut()
  return session.value?.user ? (
    <>
      <p>Signed in as {session.value.user.name}</p>
      <button type="button" onClick$={() => signOut.submit({ redirectTo: "/" })}>
        Sign out
      </button>
    </>
  ) : (
    <button type="button" onClick$={() => signIn.submit({ redirectTo: "/" })}>
      Sign in
    </button>
  )
})
