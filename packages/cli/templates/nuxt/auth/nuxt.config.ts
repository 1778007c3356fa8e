export default defineNuxtConfig({
  // Allows the `await` in server/utils/auth.ts.
  nitro: { esbuild: { options: { target: "esnext" } } },
})
