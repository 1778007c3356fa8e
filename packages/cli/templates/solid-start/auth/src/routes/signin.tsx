import { useSearchParams } from "@solidjs/router"
import { Show } from "solid-js"
import { signInAction } from "../auth"

export default function SignIn() {
  const [params] = useSearchParams<{ callbackUrl: string; error: string }>()
  return (
    <main>
      <h1>Sign in</h1>
      <Show when={params.error}>
        <p role="alert">Sign-in failed. Please try again.</p>
      </Show>
      <form action={signInAction} method="post">
        <input type="hidden" name="providerId" value="development" />
        <input type="hidden" name="redirectTo" value={params.callbackUrl ?? "/"} />
        <button type="submit">Sign in with Development</button>
      </form>
    </main>
  )
}
