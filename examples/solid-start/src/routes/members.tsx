import { Title } from "@solidjs/meta"
import { A, createAsync, type RouteDefinition } from "@solidjs/router"
import { memberSession } from "../auth.ts"

export const route = { preload: () => memberSession("/members") } satisfies RouteDefinition

export default function Members() {
  const session = createAsync(() => memberSession("/members"), { deferStream: true })
  return (
    <>
      <Title>Members only – Latchkey + SolidStart</Title>
      <h1>Members only</h1>
      <p>Only users who are signed in can read this, {session()?.user.name}.</p>
      <p>
        <A href="/account">Your account</A>
      </p>
    </>
  )
}
