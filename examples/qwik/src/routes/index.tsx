import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Link } from "@builder.io/qwik-city"
import { useSession } from "../auth.ts"

export default component$(() => {
  const session = useSession()
  const user = session.value?.user
  return (
    <>
      <h1>Welcome</h1>
      <p>{user ? `Signed in as ${user.name}.` : "You are signed out."}</p>
      <p>
        <Link href="/members" prefetch="js">
          Members only
        </Link>
      </p>
    </>
  )
})

export const head: DocumentHead = { title: "Welcome" }
