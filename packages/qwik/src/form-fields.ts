/** The fields that forms send to the actions, and their validation. */

/** The input of a sign-in. */
export interface SignInFields {
  /** Id of the provider; without one, the action redirects to the sign-in page. */
  providerId?: string | undefined
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  redirectTo?: string | undefined
  /**
   * Parameters for the authorization request, which do not replace those of the provider. Scripts must send a
   * `URLSearchParams` as text, because JSON has no such type.
   */
  authorizationParams?: string | URLSearchParams | Record<string, string> | undefined
  /** The fields of the provider, such as credentials and `email`. A `redirectTo` in here wins. */
  options?: ProviderFields | undefined
}

/** The fields of the provider. */
export interface ProviderFields {
  redirectTo?: string | undefined
  /** Whether the session outlasts the browser, if `session.rememberMe` lets users choose. Forms send text. */
  rememberMe?: boolean | string | undefined
  [field: string]: unknown
}

/** The input of a sign-out. */
export interface SignOutFields {
  /**
   * Where to go afterwards.
   *
   * @defaultValue the URL of the page
   */
  redirectTo?: string | undefined
  /**
   * Whether to sign out at the provider, too. In a form, the text `true`.
   *
   * @defaultValue `false`
   */
  federated?: boolean | string | undefined
}

/** The result of a validation in the shape that Qwik expects. */
export type ValidationResult<Field extends string> =
  | { success: true; data: Record<string, unknown> }
  | {
      success: false
      status: 400
      error: { fieldErrors: Partial<Record<Field, string>>; formErrors: string[] }
    }

type FieldValidator = (value: unknown) => string | undefined

/** Validates the input of a sign-in. Removes unknown fields, but keeps unknown options for the provider. */
export function validateSignInFields(input: unknown): ValidationResult<keyof SignInFields> {
  return validateFields(input, {
    providerId: validateText,
    redirectTo: validateText,
    authorizationParams: validateParameters,
    options: validateOptions,
  })
}

/** Validates the input of a sign-out. Removes unknown fields. */
export function validateSignOutFields(input: unknown): ValidationResult<keyof SignOutFields> {
  return validateFields(input, { redirectTo: validateText, federated: validateFlag })
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

function validateFlag(value: unknown): string | undefined {
  return typeof value === "boolean" ? undefined : validateText(value)
}

function validateText(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "Expected text."
}

function validateParameters(value: unknown): string | undefined {
  if (typeof value === "string") return undefined
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
