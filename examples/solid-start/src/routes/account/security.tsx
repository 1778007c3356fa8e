import { Title } from "@solidjs/meta"
import { createAsync, type RouteDefinition } from "@solidjs/router"
import { For, Show } from "solid-js"
import { removeFactorAction, userFactors } from "../../security.ts"

export const route: RouteDefinition = { preload: () => userFactors() }

const url = "/api/auth/signin/second-factor?step-up=true&callbackUrl=/account/security"

export default function Security() {
  const factors = createAsync(() => userFactors(), { deferStream: true })
  return (
    <Show when={factors()}>
      {(factors) => (
        <>
          <Title>Security – Latchkey + SolidStart</Title>
          <h1>Security</h1>
          <Show when={factors().length > 0} fallback={<AddApp />}>
            <ul class="sessions">
              <For each={factors()}>
                {({ id, method, createdAt, left }) => (
                  <li>
                    <div>
                      <strong>{method === "totp" ? "Authenticator app" : "Recovery codes"}</strong>
                      <p class="muted">
                        {method === "totp" ? `Added ${formatDay(createdAt)}` : `${left} left`}
                      </p>
                    </div>
                    <Show when={method === "totp"}>
                      <form action={removeFactorAction} method="post">
                        <button type="submit" class="plain" name="id" value={id}>
                          Remove
                        </button>
                      </form>
                    </Show>
                  </li>
                )}
              </For>
            </ul>
          </Show>
        </>
      )}
    </Show>
  )
}

/** Latchkey's own page adds the app. */
function AddApp() {
  return (
    <>
      <p>Protect your account with an app on your phone.</p>
      <p>
        <a href={url} rel="external">
          Add an authenticator app
        </a>
      </p>
    </>
  )
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)
