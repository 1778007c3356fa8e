import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Form, Link, type RequestHandler } from "@builder.io/qwik-city"
import { useSession, useSignOut } from "../auth"

// Loaders run for the layout or page that exports them.
export { useSession }

/** The page shows who is signed in, so no cache may keep it for others. */
export const onGet: RequestHandler = ({ cacheControl }) => {
  cacheControl({ private: true, noStore: true })
}

export default component$(() => {
  const session = useSession()
  const signOut = useSignOut()
  return (
    <>
      <h1>Welcome</h1>
      <p>
        {session.value ? "You are signed in." : "You are signed out."}{" "}
        <Link href="/members" prefetch="js">
          Members only
        </Link>
      </p>
      {session.value && (
        <Form action={signOut}>
          <input type="hidden" name="redirectTo" value="/" />
          <button type="submit">Sign out</button>
        </Form>
      )}
    </>
  )
})

export const head: DocumentHead = { title: "Welcome" }
