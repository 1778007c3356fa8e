/** The application as an OAuth client of the two providers. */
export interface OAuthClient {
  readonly id: string
  readonly secret: string
  /** Shown to users. */
  readonly name: string
  readonly redirectUri: string
  readonly homeUrl: string
}
