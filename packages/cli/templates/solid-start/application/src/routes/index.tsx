import { A, createAsync } from "@solidjs/router"
import { Show } from "solid-js"
import { currentSession, signOutAction } from "../auth"

export default function Home() {
  const session = createAsync(() => currentSession(), { deferStream: true })
  return (
    <main>
      <h1>Welcome</h1>
      <p>
        {session() ? "You are signed in." : "You are signed out."}{" "}
        <A href="/members">Members only</A>
      </p>
      <Show when={session()}>
        <form action={signOutAction} method="post">
          <button type="submit">Sign out</button>
        </form>
      </Show>
    </main>
  )
}
