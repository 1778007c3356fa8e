import { Title } from "@solidjs/meta"
import { A, createAsync, type RouteDefinition, type RouteSectionProps } from "@solidjs/router"
import { Show } from "solid-js"
import { getPath, memberSession, renameAction } from "../../auth.ts"

export const route: RouteDefinition = {
  preload: ({ location }) => memberSession(getPath(location)),
}

export default function Account(props: RouteSectionProps) {
  const page = getPath(props.location)
  const session = createAsync(() => memberSession(page), { deferStream: true })
  return (
    <Show when={session()}>
      {(session) => (
        <>
          <Title>Account – Latchkey + SolidStart</Title>
          <h1>Account</h1>
          <dl>
            <dt>Name</dt>
            <dd>{session().user.name}</dd>
            <dt>E-mail</dt>
            <dd>{session().user.email}</dd>
            <dt>Session until</dt>
            <dd>
              <time dateTime={session().expires}>{session().expires.slice(0, 10)}</time>
            </dd>
          </dl>
          <form class="stack" action={renameAction} method="post">
            <label for="name">Display name</label>
            <input
              id="name"
              name="name"
              value={session().user.name ?? ""}
              required
              maxlength="60"
              autocomplete="name"
            />
            <button type="submit" class="primary">
              Save
            </button>
          </form>
          <p>
            <A href="/account/sessions">Your sessions</A>
          </p>
          <p>
            <A href="/account/security">Security</A>
          </p>
        </>
      )}
    </Show>
  )
}
