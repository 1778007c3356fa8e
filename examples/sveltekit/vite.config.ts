import { existsSync } from "node:fs"
import { env, loadEnvFile } from "node:process"
import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

// Vite keeps what it reads from .env to itself: the server is to find it in the environment.
if (existsSync(".env")) loadEnvFile()

// Where people reach the application. SvelteKit compares it with where forms come from, and believes in https otherwise.
const origin = env["ORIGIN"]

export default defineConfig({
  plugins: [sveltekit({ adapter: adapter(), ...(origin ? { paths: { origin } } : {}) })],
  server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
})
