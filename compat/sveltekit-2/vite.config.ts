import { existsSync } from "node:fs"
import { env, loadEnvFile } from "node:process"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig } from "vite"

// Vite keeps what it reads from .env to itself: the server is to find it in the environment.
if (existsSync(".env")) loadEnvFile()

export default defineConfig({
  plugins: [sveltekit()],
  server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
})
