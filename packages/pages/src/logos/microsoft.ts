/** The logo of Microsoft. */
import type { ProviderLogo } from "../pages/provider-logo.ts"

export const logo: ProviderLogo = {
  paths: [
    {
      fill: "#f25022",
      d: "M1 1h10.4v10.4H1z",
    },
    {
      fill: "#7fba00",
      d: "M12.6 1H23v10.4H12.6z",
    },
    {
      fill: "#00a4ef",
      d: "M1 12.6h10.4V23H1z",
    },
    {
      fill: "#ffb900",
      d: "M12.6 12.6H23V23H12.6z",
    },
  ],
}
