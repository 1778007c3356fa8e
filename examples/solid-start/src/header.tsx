import { A, createAsync, revalidate, useLocation } from "@solidjs/router"
import { createEffect, on, onCleanup, onMount, Show } from "solid-js"
import { currentSession, signOutAction } from "./auth.ts"

/** The header of every page. */
export function Header() {
  const session = createAsync(() => currentSession(), { deferStream: true })
  const location = useLocation()

  // The header stays while the router navigates, so it asks again: the session may have ended elsewhere.
  createEffect(
    on(
      () => location.pathname,
      () => revalidate(currentSession.key),
      { defer: true },
    ),
  )

  // Loads the data of the page again when the user returns to this tab, after a sign-out in another one.
  onMount(() => {
    const revalidateIfVisible = () => void (document.hidden || revalidate())
    document.addEventListener("visibilitychange", revalidateIfVisible)
    onCleanup(() => document.removeEventListener("visibilitychange", revalidateIfVisible))
  })

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
