/** Lists the states of the sign-in page. */
import type { PageProvider, ProviderType } from "../pages/page-provider.ts"
import { type PageState, type PreviewedApplication, sampleEmail } from "./page-state.ts"

interface SignInError {
  readonly code: string
  readonly title: string
  /** The types of the providers that fail with it. By default, all. */
  readonly types?: readonly ProviderType[]
}

const errors: readonly SignInError[] = [
  {
    code: "OAuthCallbackError",
    title: "the provider refused or failed",
    types: ["oauth", "oidc"],
  },
  {
    code: "AccountNotLinked",
    title: "the account belongs to another way to sign in",
    types: ["oauth", "oidc"],
  },
  { code: "EmailSignin", title: "the e-mail was not sent", types: ["email"] },
  { code: "InvalidEmail", title: "the address is invalid", types: ["email"] },
  { code: "CredentialsSignin", title: "wrong password", types: ["credentials"] },
  { code: "WebAuthnVerificationError", title: "the passkey was refused", types: ["webauthn"] },
  { code: "TooManyRequests", title: "too many attempts" },
  { code: "SessionRequired", title: "another page requires a sign-in" },
  { code: "MissingCSRF", title: "the page was open for too long" },
]

const kinds: readonly { readonly name: string; readonly types: readonly ProviderType[] }[] = [
  { name: "provider", types: ["oauth", "oidc"] },
  { name: "email", types: ["email"] },
  { name: "password", types: ["credentials"] },
  { name: "passkey", types: ["webauthn"] },
]

/** Names that applications give to forms. */
const formNames: Partial<Record<ProviderType, string>> = {
  email: "a magic link",
  credentials: "your staff number",
  webauthn: "your fingerprint",
}

export function listSignInStates(application: PreviewedApplication): PageState[] {
  const { homeUrl, providers } = application
  const page = { page: "sign-in", csrfToken: "csrf-token", callbackUrl: homeUrl } as const
  const ofTypes = (types: readonly ProviderType[] | undefined): readonly PageProvider[] =>
    types ? providers.filter(({ type }) => types.includes(type)) : providers
  const present = kinds.filter(({ types }) => ofTypes(types).length > 0)
  return [
    { name: "sign-in", title: "Sign in", description: { ...page, providers } },
    ...(present.length > 1 ? present : []).map(({ name, types }) => ({
      name: `sign-in-${name}`,
      title: `Sign in, only with ${name}`,
      description: { ...page, providers: ofTypes(types) },
    })),
    {
      name: "sign-in-named",
      title: "Sign in, with names for the forms",
      description: {
        ...page,
        providers: providers.map((each) => ({ ...each, name: formNames[each.type] ?? each.name })),
      },
    },
    ...errors.flatMap(({ code, title, types }) => {
      const [failed] = ofTypes(types)
      if (!failed) return []
      const failure = types && { provider: failed.id, identifier: sampleEmail }
      return {
        name: `sign-in-error-${code.toLowerCase()}`,
        title: `Sign in: ${title}`,
        description: { ...page, providers, error: code, email: sampleEmail, failure },
      }
    }),
    {
      name: "sign-in-last-used",
      title: "Sign in again, and a link to the registration page",
      description: { ...page, providers, lastUsed: providers.at(-1)?.id, signUpUrl: homeUrl },
    },
    {
      name: "sign-in-remember-me",
      title: "Sign in, with the choice to stay signed in (`session.rememberMe`)",
      description: { ...page, providers, rememberMe: true },
    },
    {
      name: "signed-in",
      title: "Sign in, for a visitor who is signed in",
      description: {
        page: "signed-in",
        user: sampleEmail,
        callbackUrl: homeUrl,
        chooseUrl: `${application.actionsUrl}/signin?prompt=select_account`,
      },
    },
    {
      name: "sign-in-none",
      title: "Sign in, without a provider",
      description: { ...page, providers: [] },
    },
  ]
}
