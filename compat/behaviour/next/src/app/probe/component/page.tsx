import { cookies } from "next/headers"
import { Suspense } from "react"
import { auth } from "../../../auth.ts"

/** Shows the session cookie that components of this request see, after several of them have read the session. */
export default async function Component() {
  await Promise.all([auth(), auth()])
  const cookie = (await cookies()).get("authjs.session-token")?.value
  return (
    <>
      <Suspense fallback="…">
        <Name />
      </Suspense>
      <pre>{cookie}</pre>
    </>
  )
}

async function Name() {
  return <p>Hello {(await auth())?.user?.name}</p>
}
