import { component$ } from "@builder.io/qwik"
import { routeLoader$ } from "@builder.io/qwik-city"

/** The same page without a session check. */
export const useEmail = routeLoader$(() => "ada@example.com")

export default component$(() => {
  const email = useEmail()
  return <h1>{email.value}</h1>
})
