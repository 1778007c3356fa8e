/** Appearance of the built-in pages and of the built-in e-mail. Invalid values are ignored, with a warning. */
export interface Theme {
  /** Name of your application, up to 64 characters. Without it, pages and messages show its host. */
  name?: string
  /** Whether the pages are light or dark. @defaultValue `"auto"`, the setting of the user's system */
  colorScheme?: "auto" | "dark" | "light"
  /** URL of an image, shown above the card. Without it, the name is shown. */
  logo?: string
  /** URL of another image for the dark scheme. */
  logoDark?: string
  /** Text for people who cannot see the logo. @defaultValue the name */
  logoAlt?: string
  /** URL of the icon of the browser's tab. @defaultValue the initial of the name in the brand colour */
  favicon?: string
  /**
   * CSS colour of the main buttons and, in a visible shade, of the focus ring. If `buttonText` cannot be read on it,
   * the pages use another shade, with a warning. Only hex colours are checked.
   */
  brandColor?: string
  /** CSS colour of the main buttons in the dark scheme, whose text is black or white. @defaultValue `brandColor` */
  brandColorDark?: string
  /**
   * CSS colour of the text on the main buttons. Without `brandColor`, only hex colours are used.
   * @defaultValue black or white, whichever is easier to read
   */
  buttonText?: string
  /** Radius of the corners of buttons and fields in px, em or rem, such as `"4px"` or `"0"`. @defaultValue `"0.625rem"` */
  radius?: string
  /** CSS list of fonts that visitors have installed, such as `"Georgia, serif"`. The pages load no font. */
  fontFamily?: string
}
