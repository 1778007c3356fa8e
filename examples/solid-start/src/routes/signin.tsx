import { Title } from "@solidjs/meta"
import { useSearchParams } from "@solidjs/router"
import { Show } from "solid-js"
import { signInAction } from "../auth.ts"

export default function SignIn() {
  const [params] = useSearchParams<{ callbackUrl: string; error: string }>()
  const callbackUrl = () => params.callbackUrl ?? "/"
  return (
    <>
      <Title>Sign in – Latchkey + SolidStart</Title>
      <h1>Sign in</h1>
      <Show when={params.error}>
        {(error) => (
          <p role="alert">{errorMessages.get(error()) ?? "Sign-in failed. Please try again."}</p>
        )}
      </Show>
      <form class="stack" action={signInAction} method="post">
        <input type="hidden" name="providerId" value="tenantidp" />
        <input type="hidden" name="redirectTo" value={callbackUrl()} />
        <button type="submit" class="primary">
          Continue with Alder ID
        </button>
      </form>
      <form class="stack" action={signInAction} method="post">
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="redirectTo" value={callbackUrl()} />
        <label for="email">E-mail</label>
        <input id="email" name="email" type="email" required autocomplete="username" />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          autocomplete="current-password"
        />
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      <p class="muted">Try ann@example.com with the password “correct horse battery staple”.</p>
    </>
  )
}

// A map, not an object: a URL can contain `?error=constructor`.
const errorMessages = new Map([
  ["CredentialsSignin", "That e-mail address and password do not match."],
  ["AccessDenied", "You do not have permission to sign in."],
])
