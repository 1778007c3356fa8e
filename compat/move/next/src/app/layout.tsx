import { SessionProvider } from "next-auth/react"
import { auth } from "../auth"

export default async function Layout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>
        <SessionProvider session={await auth()}>{children}</SessionProvider>
      </body>
    </html>
  )
}
