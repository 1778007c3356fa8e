import { component$ } from "@builder.io/qwik"
import { useSession } from "../plugin@auth.ts"

export { useSession }

export default component$(() => {
  const session = useSession()
  return <h1>{session.value?.user?.email}</h1>
})
