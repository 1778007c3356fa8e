import { signInAction } from "../../actions.ts"

export const metadata = { title: "Sign in – Latchkey + Next.js" }

interface Props {
  searchParams: Promise<{ callbackUrl?: string; error?: string }>
}

export default async function SignIn({ searchParams }: Props) {
  const { callbackUrl = "/", error } = await searchParams
  return (
    <>
      <h1>Sign in</h1>
      {error && (
        <p role="alert">{errorMessages.get(error) ?? "Sign-in failed. Please try again."}</p>
      )}
      <form className="stack" action={signInAction}>
        <input type="hidden" name="providerId" value="tenantidp" />
        <input type="hidden" name="redirectTo" value={callbackUrl} />
        <button type="submit" className="primary">
          Continue with Alder ID
        </button>
      </form>
      <form className="stack" action={signInAction}>
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="redirectTo" value={callbackUrl} />
        <label htmlFor="email">E-mail</label>
        <input id="email" name="email" type="email" required autoComplete="username" />
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          required
          autoComplete="current-password"
        />
        <button type="submit" className="primary">
          Sign in
        </button>
      </form>
      <p className="muted">Try ann@example.com with the password “correct horse battery staple”.</p>
    </>
  )
}

// A map, not an object: a URL can contain `?error=constructor`.
const errorMessages = new Map([
  ["CredentialsSignin", "That e-mail address and password do not match."],
  ["AccessDenied", "You do not have permission to sign in."],
])
