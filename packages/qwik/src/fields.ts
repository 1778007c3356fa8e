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
  options?: SignInOptions | undefined
}

/** Fields of the provider, as they are. */
export interface SignInOptions {
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
export type Checked<Field extends string> =
  | { success: true; data: Record<string, unknown> }
  | {
      success: false
      status: 400
      error: { fieldErrors: Partial<Record<Field, string>>; formErrors: string[] }
    }

type Rule = (value: unknown) => string | undefined

/** Checks the input of a sign-in. Unknown fields are left out; unknown options are those of a provider. */
export function checkSignIn(input: unknown): Checked<keyof SignInFields> {
  return check(input, {
    providerId: text,
    redirectTo: text,
    authorizationParams: parameters,
    options,
  })
}

/** Checks the input of a sign-out. Unknown fields are left out. */
export function checkSignOut(input: unknown): Checked<keyof SignOutFields> {
  return check(input, { redirectTo: text })
}

function check<Field extends string>(input: unknown, rules: Record<Field, Rule>): Checked<Field> {
  const names = Object.keys(rules) as Field[]
  const fieldErrors: Partial<Record<Field, string>> = {}
  if (!isRecord(input)) {
    const error = { fieldErrors, formErrors: ["Expected an object."] }
    return { success: false, status: 400, error }
  }
  for (const name of names) {
    const problem = input[name] === undefined ? undefined : rules[name](input[name])
    if (problem !== undefined) fieldErrors[name] = problem
  }
  if (Object.keys(fieldErrors).length > 0) {
    return { success: false, status: 400, error: { fieldErrors, formErrors: [] } }
  }
  const sent = names.filter((name) => input[name] !== undefined)
  return { success: true, data: Object.fromEntries(sent.map((name) => [name, input[name]])) }
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? undefined : "Expected text."
}

function parameters(value: unknown): string | undefined {
  if (typeof value === "string" || value instanceof URLSearchParams) return undefined
  const isTexts = isRecord(value) && Object.values(value).every((each) => typeof each === "string")
  return isTexts ? undefined : "Expected text, or an object of texts."
}

function options(value: unknown): string | undefined {
  if (!isRecord(value)) return "Expected an object."
  const { redirectTo } = value
  return redirectTo === undefined ? undefined : text(redirectTo) && "Expected `redirectTo` as text."
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
