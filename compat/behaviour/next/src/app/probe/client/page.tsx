import { SessionProvider } from "@latchkey/next/react"
import { auth } from "../../../auth.ts"
import { UserName } from "./user-name.tsx"

export default async function Client() {
  return (
    <SessionProvider session={await auth()}>
      <UserName />
    </SessionProvider>
  )
}
