import { Form } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/members"

/** The guard: visitors who are signed out sign in first, and return. */
export async function loader({ context }: Route.LoaderArgs) {
  const { user } = await context.get(authContext).requireSession()
  return { name: user?.name }
}

// The page shows who is signed in, so no cache may keep it for others.
export const headers = () => ({ "Cache-Control": "private, no-store" })

export default function Members({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <title>Members only</title>
      <h1>Members only</h1>
      <p>Hello {loaderData.name}. Only members can read this.</p>
      <Form method="post" action="/signout">
        <button type="submit">Sign out</button>
      </Form>
    </>
  )
}
