import type { ReactNode } from "react"
import { Form, Link, Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router"
import type { Route } from "./+types/root"
import "./app.css"
import { authContext, authMiddleware } from "./auth.server"
import { RefreshOnReturn } from "./refresh-on-return"

// Responds to the routes under /auth, and gives all others `context.get(authContext)`.
export const middleware = [authMiddleware]

export async function loader({ context }: Route.LoaderArgs) {
  const session = await context.get(authContext).getSession()
  return { name: session?.user.name, isSignedIn: session !== null }
}

// Pages show who is signed in, so no cache may keep them for others.
export const headers = () => ({ "Cache-Control": "private, no-store" })

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="data:," />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function App({ loaderData: { name, isSignedIn } }: Route.ComponentProps) {
  return (
    <>
      <header className="bar">
        <Link to="/">Latchkey + React Router</Link>
        {isSignedIn ? (
          <>
            <span>{name}</span>
            <Link to="/account">Account</Link>
            <Form method="post" action="/signout">
              <button type="submit" className="plain">
                Sign out
              </button>
            </Form>
          </>
        ) : (
          <Link to="/signin">Sign in</Link>
        )}
      </header>
      <main className="card">
        <Outlet />
      </main>
      <RefreshOnReturn />
    </>
  )
}
