import { existsSync } from "node:fs"
import { env, loadEnvFile } from "node:process"
import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

// Vite does not add the variables of .env to the environment, where the server reads them.
if (existsSync(".env")) loadEnvFile()

// The public URL. SvelteKit compares it with the origin of forms, and assumes https without it.
const origin = env["ORIGIN"]

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter(), ...(origin ? { paths: { origin } } : {}) })],
  server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
})
