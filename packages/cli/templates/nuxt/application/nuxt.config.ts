export default defineNuxtConfig({
  compatibilityDate: "2026-11-01",
  css: ["~/app.css"],
  // Allows the `await` in server/utils/auth.ts.
  nitro: { esbuild: { options: { target: "esnext" } } },
})
