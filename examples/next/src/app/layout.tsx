import Link from "next/link"
import type { ReactNode } from "react"
import { signOutAction } from "../actions.ts"
import { auth } from "../auth.ts"
import { RefreshOnReturn } from "../refresh-on-return.tsx"
import "./style.css"

export default async function Layout({ children }: { children: ReactNode }) {
  const session = await auth()
  return (
    <html lang="en">
      <head>
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header className="bar">
          <Link href="/">Latchkey + Next.js</Link>
          {session ? (
            <>
              <span>{session.user.name}</span>
              <Link href="/account">Account</Link>
              <form action={signOutAction}>
                <button type="submit" className="plain">
                  Sign out
                </button>
              </form>
            </>
          ) : (
            <Link href="/signin">Sign in</Link>
          )}
        </header>
        <main className="card">{children}</main>
        <RefreshOnReturn />
      </body>
    </html>
  )
}
