import { solidStart } from "@solidjs/start/config"
import { nitro } from "nitro/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    solidStart({ middleware: "./src/middleware.ts" }),
    // Nitro 3 would split this package into chunks that run in the wrong order.
    nitro({ preset: "node-server", traceDeps: ["@simplewebauthn/server"] }),
  ],
})
