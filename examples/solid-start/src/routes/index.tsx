import { Title } from "@solidjs/meta"
import { A, createAsync } from "@solidjs/router"
import { currentSession } from "../auth.ts"

export default function Home() {
  const session = createAsync(() => currentSession(), { deferStream: true })
  const user = () => session()?.user
  return (
    <>
      <Title>Welcome – Latchkey + SolidStart</Title>
      <h1>Welcome</h1>
      <p>{user() ? `Signed in as ${user()?.name}.` : "You are signed out."}</p>
      <p>
        <A href="/members">Members only</A>
      </p>
    </>
  )
}
