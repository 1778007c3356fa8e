/** Logos of providers, which pages show on buttons. The paths of most are those of Simple Icons (CC0). */

/** A drawing in a square. */
export interface ProviderLogo {
  /** Width and height of the square. @defaultValue 24 */
  readonly size?: number
  /** Path data (SVG 2 section 9.3) and colours. Without a colour, the path has that of the text. */
  readonly paths: readonly { readonly fill?: string; readonly d: string }[]
}
