/** What the forms of an application send to the actions. */

/** What to sign in with, and how. */
export interface SignInFields {
  /** Id of the provider; without one, the browser is sent to the sign-in page. */
  providerId?: string | undefined
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  redirectTo?: string | undefined
  /** Parameters for the authorization request. A script has to send a `URLSearchParams` as text: JSON has none. */
  authorizationParams?: string | URLSearchParams | Record<string, string> | undefined
  /** Fields of the provider, such as credentials and `email`. Its `redirectTo` wins. */
  options?: ProviderFields | undefined
}

/** Fields of the provider, as they are. */
export interface ProviderFields {
  redirectTo?: string | undefined
  [field: string]: unknown
}

/** Where to go after signing out. */
export interface SignOutFields {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  redirectTo?: string | undefined
}

/** What a check came to, as Qwik's validators say it. */
export type ValidationResult<Field extends string> =
  | { success: true; data: Record<string, unknown> }
  | {
      success: false
      status: 400
      error: { fieldErrors: Partial<Record<Field, string>>; formErrors: string[] }
    }

type FieldValidator = (value: unknown) => string | undefined

/** Checks the input of a sign-in. Unknown fields are left out; unknown options are those of a provider. */
export function validateSignInFields(input: unknown): ValidationResult<keyof SignInFields> {
  return validateFields(input, {
    providerId: validateText,
    redirectTo: validateText,
    authorizationParams: validateParameters,
    options: validateOptions,
  })
}

/** Checks the input of a sign-out. Unknown fields are left out. */
export function validateSignOutFields(input: unknown): ValidationResult<keyof SignOutFields> {
  return validateFields(input, { redirectTo: validateText })
}

function validateFields<Field extends string>(
  input: unknown,
  validators: Record<Field, FieldValidator>,
): ValidationResult<Field> {
  const names = Object.keys(validators) as Field[]
  const fieldErrors: Partial<Record<Field, string>> = {}
  if (!isRecord(input)) {
    const error = { fieldErrors, formErrors: ["Expected an object."] }
    return { success: false, status: 400, error }
  }
  for (const name of names) {
    const fieldError = input[name] === undefined ? undefined : validators[name](input[name])
    if (fieldError !== undefined) fieldErrors[name] = fieldError
  }
  if (Object.keys(fieldErrors).length > 0) {
    return { success: false, status: 400, error: { fieldErrors, formErrors: [] } }
  }
  const presentNames = names.filter((name) => input[name] !== undefined)
  return {
    success: true,
    data: Object.fromEntries(presentNames.map((name) => [name, input[name]])),
  }
}

function validateText(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "Expected text."
}

function validateParameters(value: unknown): string | undefined {
  if (typeof value === "string" || value instanceof URLSearchParams) return undefined
  const isTextRecord =
    isRecord(value) && Object.values(value).every((each) => typeof each === "string")
  return isTextRecord ? undefined : "Expected text, or an object of texts."
}

function validateOptions(value: unknown): string | undefined {
  if (!isRecord(value)) return "Expected an object."
  const { redirectTo } = value
  return redirectTo === undefined
    ? undefined
    : validateText(redirectTo) && "Expected `redirectTo` as text."
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
