import {
  createAsync,
  type Location,
  type RouteDefinition,
  type RouteSectionProps,
} from "@solidjs/router"
import { Show } from "solid-js"
import { memberSession, signOutAction } from "../auth"

const getPath = ({ pathname, search }: Location) => pathname + search

export const route: RouteDefinition = {
  preload: ({ location }) => memberSession(getPath(location)),
}

export default function Members({ location }: RouteSectionProps) {
  const page = getPath(location)
  const session = createAsync(() => memberSession(page), { deferStream: true })
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
