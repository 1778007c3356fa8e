/** The way back from the provider to the application, in the hands of the browser. */
export class AuthorizationResponse {
  /** Where the browser goes: the redirect URI, in query mode with the parameters. */
  readonly url: URL
  /** What it carries. Changing it changes what is sent. */
  readonly parameters: URLSearchParams
  /** The fields of the self-submitting form, for `response_mode=form_post` only: the same as `parameters`. */
  readonly form?: URLSearchParams
  /** The origin of the provider, which a browser names as the initiator. */
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

  /** The URL as text. */
  toString(): string {
    return this.url.href
  }
}
