/** The order of the methods on the sign-in page. */
import { hasInputs, type PageProvider, type ProviderType } from "./page-provider.ts"

interface ProviderChoice {
  /** In the order of the configuration. */
  readonly providers: readonly PageProvider[]
  readonly error?: string | undefined
  readonly failure?: { readonly provider: string } | undefined
  readonly lastUsed?: string | undefined
}

export interface ProviderOrder {
  /** The first method of the page. */
  readonly primary: PageProvider | undefined
  /** The provider that the error is about. */
  readonly failed: PageProvider | undefined
  /** The methods below the first one. */
  readonly others: readonly PageProvider[]
  /** The last of them if it is the only form with inputs: it needs no button that opens it. */
  readonly openForm: PageProvider | undefined
  /** The first form with inputs in the order of the configuration. */
  readonly firstForm: PageProvider | undefined
  /** Whether the first method is a form, and a message says nothing else. */
  readonly isFormFocused: boolean
}

/** Types of the providers that errors are about. */
const typesByError: Readonly<Record<string, ProviderType>> = {
  CredentialsSignin: "credentials",
  EmailSignin: "email",
  InvalidEmail: "email",
  Verification: "email",
  WebAuthnVerificationError: "webauthn",
}

/** Errors that no sign-in caused: the visitor has yet to fill in the form. */
const errorsBeforeForm: ReadonlySet<string> = new Set(["SessionRequired", "MissingCSRF"])

/** Puts the provider of a failed sign-in first, else the one that was used last, else the first of the configuration. */
export function orderProviders(choice: ProviderChoice): ProviderOrder {
  const { providers, lastUsed, error } = choice
  const failed = findFailed(choice)
  const primary = failed ?? providers.find(({ id }) => id === lastUsed) ?? providers[0]
  const [firstForm, ...otherForms] = providers.filter(hasInputs)
  const openForm = otherForms.length === 0 && firstForm !== primary ? firstForm : undefined
  const rows = providers.filter((provider) => provider !== primary && provider !== openForm)
  const others = openForm ? [...rows, openForm] : rows
  const isAboutForm = !error || failed !== undefined || errorsBeforeForm.has(error)
  const isFormFocused = primary !== undefined && hasInputs(primary) && isAboutForm
  return { primary, failed, others, openForm, firstForm, isFormFocused }
}

function findFailed({ providers, error, failure }: ProviderChoice): PageProvider | undefined {
  if (!error) return undefined
  const errorType = Object.hasOwn(typesByError, error) ? typesByError[error] : undefined
  return (
    providers.find(({ id }) => id === failure?.provider) ??
    providers.find(({ type }) => type === errorType)
  )
}
