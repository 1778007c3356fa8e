/** The application, as the two providers know it. */
export interface OAuthClient {
  readonly id: string
  readonly secret: string
  /** Shown to people. */
  readonly name: string
  readonly redirectUri: string
  /** Where people go back to. */
  readonly homeUrl: string
}
