import { solidStart } from "@solidjs/start/config"
import { nitro } from "nitro/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    solidStart({ middleware: "./src/middleware.ts" }),
    // Nitro 3 would put this package's modules into files that run in another order, and it would not load.
    nitro({ preset: "node-server", traceDeps: ["@simplewebauthn/server"] }),
  ],
})
