import { component$, Slot } from "@builder.io/qwik"
import { Link, type RequestHandler } from "@builder.io/qwik-city"
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
  return (
    <>
      <header class="bar">
        <Link href="/">Latchkey + Qwik</Link>
        {user ? (
          <>
            <span>{user.name}</span>
            <Link href="/account">Account</Link>
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
