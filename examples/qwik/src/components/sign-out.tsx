import { component$ } from "@builder.io/qwik"
import { Form } from "@builder.io/qwik-city"
import { useSignOut } from "../auth.ts"

export const SignOut = component$(() => {
  const signOut = useSignOut()
  return (
    <Form action={signOut}>
      <input type="hidden" name="redirectTo" value="/" />
      <button type="submit" class="plain">
        Sign out
      </button>
    </Form>
  )
})
