import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Link } from "@builder.io/qwik-city"
import { useMember } from "../layout.tsx"

export default component$(() => {
  const member = useMember()
  return (
    <>
      <h1>Members only</h1>
      <p>Only people who are signed in can read this, {member.value?.name}.</p>
      <p>
        <Link href="/account" prefetch="js">
          Your account
        </Link>
      </p>
    </>
  )
})

export const head: DocumentHead = { title: "Members only" }
