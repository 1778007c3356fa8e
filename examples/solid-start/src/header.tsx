import { A, createAsync } from "@solidjs/router"
import { Show } from "solid-js"
import { currentSession, signOutAction } from "./auth.ts"

/** The header of every page. */
export function Header() {
  const session = createAsync(() => currentSession(), { deferStream: true })
  return (
    <header class="bar">
      <A href="/">Latchkey + SolidStart</A>
      <Show when={session()?.user} fallback={<A href="/signin">Sign in</A>}>
        {(user) => (
          <>
            <span>{user().name}</span>
            <A href="/account">Account</A>
            <form action={signOutAction} method="post">
              <button type="submit" class="plain">
                Sign out
              </button>
            </form>
          </>
        )}
      </Show>
    </header>
  )
}
