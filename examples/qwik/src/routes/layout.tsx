import { $, component$, Slot, useOnDocument } from "@builder.io/qwik"
import { Link, type RequestHandler } from "@builder.io/qwik-city"
import { getSession } from "@latchkey/qwik/client"
import { useSession } from "../auth.ts"
import { SignOut } from "../components/sign-out.tsx"

/** Every page shows who is signed in, so no cache may keep it for others. */
export const onGet: RequestHandler = ({ cacheControl }) => {
  cacheControl({ private: true, noStore: true })
}

// Loaders run for the layout or page that exports them: this one for every page.
export { useSession }

export default component$(() => {
  const session = useSession()
  const user = session.value?.user
  // Loads the page again after somebody has signed in or out in another tab.
  useOnDocument(
    "visibilitychange",
    $(async () => {
      if (document.hidden) return
      const current = await getSession()
      if (current?.user?.id !== session.value?.user?.id) location.reload()
    }),
  )
  // With `prefetch="js"`, links load the data of their pages only when they are followed.
  return (
    <>
      <header class="bar">
        <Link href="/" prefetch="js">
          Latchkey + Qwik
        </Link>
        {user ? (
          <>
            <span>{user.name}</span>
            <Link href="/account" prefetch="js">
              Account
            </Link>
            <SignOut />
          </>
        ) : (
          <Link href="/signin">Sign in</Link>
        )}
      </header>
      <main class="card">
        <Slot />
      </main>
    </>
  )
})
