import { cwd } from "node:process"
import adapter from "@sveltejs/adapter-node"
import { sveltekit } from "@sveltejs/kit/vite"
import { defineConfig, loadEnv } from "vite"

export default defineConfig(({ mode }) => {
  // The variables of .env and of the environment.
  const env = loadEnv(mode, cwd(), "")
  // The public URL. SvelteKit compares it with the origin of forms, and assumes https without it.
  const origin = env["ORIGIN"]
  return {
    plugins: [sveltekit({ adapter: adapter(), ...(origin ? { paths: { origin } } : {}) })],
    server: { host: env["HOST"] ?? "127.0.0.1", port: Number(env["PORT"] ?? 3000) },
  }
})
