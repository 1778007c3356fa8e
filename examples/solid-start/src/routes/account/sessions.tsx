import { Title } from "@solidjs/meta"
import { createAsync, type RouteDefinition } from "@solidjs/router"
import { For, Show } from "solid-js"
import { signOutOneAction, signOutOthersAction, userSessions } from "../../sessions.ts"

export const route: RouteDefinition = { preload: () => userSessions() }

export default function Sessions() {
  const data = createAsync(() => userSessions(), { deferStream: true })
  return (
    <Show when={data()}>
      {(data) => (
        <>
          <Title>Your sessions – Latchkey + SolidStart</Title>
          <h1>Your sessions</h1>
          <ul class="sessions">
            <For each={data().sessions}>
              {({ id, label, createdAt, lastSeenAt }) => (
                <li>
                  <div>
                    <strong>{label}</strong>
                    <p class="muted">
                      Signed in {formatDay(createdAt)}, last used {formatDay(lastSeenAt)}
                    </p>
                  </div>
                  <Show when={id !== data().currentId} fallback={<span>This session</span>}>
                    <form action={signOutOneAction} method="post">
                      <button type="submit" class="plain" name="id" value={id}>
                        Sign out
                      </button>
                    </form>
                  </Show>
                </li>
              )}
            </For>
          </ul>
          <Show when={data().sessions.length > 1}>
            <form action={signOutOthersAction} method="post">
              <button type="submit" class="primary">
                Sign out everywhere else
              </button>
            </form>
          </Show>
        </>
      )}
    </Show>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
