import { Form, Link } from "react-router"
import { authContext } from "../auth.server"
import type { Route } from "./+types/home"

export async function loader({ context }: Route.LoaderArgs) {
  const session = await context.get(authContext).getSession()
  return { isSignedIn: session !== null }
}

// The page shows who is signed in, so no cache may keep it for others.
export const headers = () => ({ "Cache-Control": "private, no-store" })

export default function Home({ loaderData: { isSignedIn } }: Route.ComponentProps) {
  return (
    <>
      <title>Welcome</title>
      <h1>Welcome</h1>
      <p>
        {isSignedIn ? "You are signed in." : "You are signed out."}{" "}
        <Link to="/members">Members only</Link>
      </p>
      {isSignedIn && (
        <Form method="post" action="/signout">
          <button type="submit">Sign out</button>
        </Form>
      )}
    </>
  )
}
