import { Title } from "@solidjs/meta"
import { A, createAsync, type RouteDefinition } from "@solidjs/router"
import { Show } from "solid-js"
import { memberSession } from "../auth.ts"

export const route: RouteDefinition = { preload: () => memberSession("/members") }

export default function Members() {
  const session = createAsync(() => memberSession("/members"), { deferStream: true })
  return (
    // Nothing is shown before the session is known.
    <Show when={session()}>
      {(session) => (
        <>
          <Title>Members only – Latchkey + SolidStart</Title>
          <h1>Members only</h1>
          <p>Only users who are signed in can read this, {session().user.name}.</p>
          <p>
            <A href="/account">Your account</A>
          </p>
        </>
      )}
    </Show>
  )
}
