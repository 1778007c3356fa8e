import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Form } from "@builder.io/qwik-city"
import { useSignOut } from "../../auth"
import { useMember } from "./layout"

export default component$(() => {
  const member = useMember()
  const signOut = useSignOut()
  return (
    <>
      <h1>Members only</h1>
      <p>Hello {member.value?.name}. Only members can read this.</p>
      <Form action={signOut}>
        <input type="hidden" name="redirectTo" value="/" />
        <button type="submit">Sign out</button>
      </Form>
    </>
  )
})

export const head: DocumentHead = { title: "Members only" }
