import { createAsync, type RouteDefinition } from "@solidjs/router"
import { Show } from "solid-js"
import { memberSession, signOutAction } from "../auth"

export const route: RouteDefinition = { preload: () => memberSession("/members") }

export default function Members() {
  const session = createAsync(() => memberSession("/members"), { deferStream: true })
  return (
    <Show when={session()}>
      {(session) => (
        <main>
          <h1>Members only</h1>
          <p>Hello {session().user?.name}. Only members can read this.</p>
          <form action={signOutAction} method="post">
            <button type="submit">Sign out</button>
          </form>
        </main>
      )}
    </Show>
  )
}
