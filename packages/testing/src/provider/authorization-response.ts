/** The response of the authorization endpoint, which the browser takes back to the application. */
export class AuthorizationResponse {
  /** The browser's target: the redirect URI, with the parameters in query mode. */
  readonly url: URL
  /** The response's parameters. Changing them changes what is sent. */
  readonly parameters: URLSearchParams
  /** For `response_mode=form_post`, the fields of the self-submitting form: the same object as `parameters`. */
  readonly form?: URLSearchParams
  /** Origin of the provider, which the browser sends as the initiator. */
  readonly providerOrigin: string

  constructor(
    redirectUri: string,
    fields: Record<string, string>,
    isFormPost: boolean,
    providerOrigin: string,
  ) {
    this.url = new URL(redirectUri)
    this.providerOrigin = providerOrigin
    this.parameters = isFormPost ? new URLSearchParams() : this.url.searchParams
    for (const [name, value] of Object.entries(fields)) this.parameters.set(name, value)
    if (isFormPost) this.form = this.parameters
  }

  /** Returns the URL as text. */
  toString(): string {
    return this.url.href
  }
}
