/** The error response of an honest provider (RFC 6749 sections 4.1.2.1 and 5.2). */
export class ProviderError extends Error {
  override readonly name = "ProviderError"
  /** Error code, such as `invalid_grant`. */
  readonly error: string
  readonly status: number

  constructor(
    error: string,
    description: string,
    options: { status?: number; cause?: unknown } = {},
  ) {
    super(`The provider rejected the request: ${error}: ${description}`, { cause: options.cause })
    this.error = error
    this.status = options.status ?? 400
  }
}

/** Returns the only value of a parameter. @throws ProviderError if it occurs twice (RFC 6749 section 3.1) */
export function getSingleParameter(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = parameters.getAll(name)
  if (more.length > 0) throw new ProviderError("invalid_request", `${name} occurs more than once`)
  return value
}

/** Returns the only value of a parameter. @throws ProviderError if it is missing, empty or occurs twice */
export function requireParameter(parameters: URLSearchParams, name: string): string {
  const value = getSingleParameter(parameters, name)
  if (!value) throw new ProviderError("invalid_request", `${name} is missing`)
  return value
}
