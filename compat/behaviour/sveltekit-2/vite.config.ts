import { cwd } from "node:process"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig, loadEnv } from "vite"

export default defineConfig(({ mode }) => {
  // The variables of .env and of the environment.
  const env = loadEnv(mode, cwd(), "")
  return {
    plugins: [sveltekit()],
    server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
  }
})
