import { solidStart } from "@solidjs/start/config"
import { nitro } from "nitro/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    solidStart({ middleware: "./src/middleware.ts" }),
    nitro({ preset: "node-server", plugins: ["src/startup.ts"] }),
  ],
  // SolidStart 2.0.5 loads its development toolbar with a module that browsers cannot load unless it is bundled.
  optimizeDeps: { include: ["@solidjs/start > @jridgewell/trace-mapping"] },
})
