import { existsSync } from "node:fs"
import { env, loadEnvFile } from "node:process"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

// Vite does not add the variables of .env to the environment, where the server reads them.
if (existsSync(".env")) loadEnvFile()

export default defineConfig({
  plugins: [sveltekit()],
  server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
})
