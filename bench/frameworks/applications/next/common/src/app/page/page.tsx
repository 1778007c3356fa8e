import { auth } from "../../auth.ts"

export default async function Page() {
  const session = await auth()
  return <h1>{session?.user?.email}</h1>
}
