import { Title } from "@solidjs/meta"
import { A, createAsync, type RouteDefinition, type RouteSectionProps } from "@solidjs/router"
import { Show } from "solid-js"
import { getPath, memberSession } from "../auth.ts"

export const route: RouteDefinition = {
  preload: ({ location }) => memberSession(getPath(location)),
}

export default function Members(props: RouteSectionProps) {
  const page = getPath(props.location)
  const session = createAsync(() => memberSession(page), { deferStream: true })
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
