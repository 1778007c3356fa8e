/** What an honest provider says to a request that is wrong (RFC 6749 sections 4.1.2.1 and 5.2). */
export class ProviderRefusal extends Error {
  override readonly name = "ProviderRefusal"
  /** For example `invalid_grant`. */
  readonly error: string
  readonly status: number

  constructor(error: string, description: string, more: { status?: number; cause?: unknown } = {}) {
    super(`The provider refuses: ${error}: ${description}`, { cause: more.cause })
    this.error = error
    this.status = more.status ?? 400
  }
}

/** Gives the only value of a parameter. @throws ProviderRefusal when it occurs twice (RFC 6749 section 3.1). */
export function only(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name)
  if (more.length > 0) throw new ProviderRefusal("invalid_request", `${name} occurs more than once`)
  return value
}

/** Gives the only value of a parameter. @throws ProviderRefusal when it is missing, empty or occurs twice. */
export function required(parameters: URLSearchParams, name: string): string {
  const value = only(parameters, name)
  if (!value) throw new ProviderRefusal("invalid_request", `${name} is missing`)
  return value
}
