/** Tests whether Qwik reloads data after an action that redirects to the same page: Qwik 2 does not. */
import { component$ } from "@builder.io/qwik"
import { Form, routeAction$, routeLoader$ } from "@builder.io/qwik-city"

export const useCount = routeLoader$(({ cookie }) => cookie.get("count")?.number() ?? 0)

export const useIncrement = routeAction$((_fields, { cookie, redirect, pathname }) => {
  cookie.set("count", (cookie.get("count")?.number() ?? 0) + 1, { path: "/" })
  throw redirect(303, pathname)
})

export default component$(() => {
  const count = useCount()
  const increment = useIncrement()
  return (
    <>
      <output>{count.value}</output>
      <Form action={increment}>
        <button type="submit">Count</button>
      </Form>
    </>
  )
})
