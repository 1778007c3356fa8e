import type { NextConfig } from "next"

const config: NextConfig = {
  // Of the Pages Router.
  i18n: { locales: ["en", "de"], defaultLocale: "en" },
}

export default config
