import type { NextConfig } from "next"

const config: NextConfig = {
  poweredByHeader: false,
  // The pages of the example expect the session of its own configuration.
  typescript: { ignoreBuildErrors: true },
}

export default config
