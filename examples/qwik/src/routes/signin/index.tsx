import { component$ } from "@builder.io/qwik"
import { type DocumentHead, Form, useLocation } from "@builder.io/qwik-city"
import { useSignIn } from "../../auth.ts"

export default component$(() => {
  const signIn = useSignIn()
  const { searchParams } = useLocation().url
  // Without JavaScript, only the submitted form still contains the URL to return to.
  const formData = signIn.formData
  const redirectTo = String(formData?.get("redirectTo") ?? searchParams.get("callbackUrl") ?? "/")
  const errorCode = signIn.value?.formErrors?.[0] ?? searchParams.get("error")
  return (
    <>
      <h1>Sign in</h1>
      <div>{errorCode && <p role="alert">{getErrorMessage(errorCode)}</p>}</div>
      <Form action={signIn} class="stack">
        <input type="hidden" name="providerId" value="tenantidp" />
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <button type="submit" class="primary">
          Continue with Alder ID
        </button>
      </Form>
      <Form action={signIn} class="stack">
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <label for="email">E-mail</label>
        <input
          id="email"
          name="options.email"
          type="email"
          autocomplete="username"
          value={String(formData?.get("options.email") ?? "")}
          required
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="options.password"
          type="password"
          autocomplete="current-password"
          required
        />
        <button type="submit" class="primary">
          Sign in
        </button>
      </Form>
      <p class="muted">Try ann@example.com with the password “correct horse battery staple”.</p>
    </>
  )
})

function getErrorMessage(errorCode: string): string {
  return errorCode === "CredentialsSignin"
    ? "That e-mail address and password do not match."
    : "Sign-in failed. Please try again."
}

export const head: DocumentHead = { title: "Sign in" }
