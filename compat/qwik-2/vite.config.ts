import { qwikVite } from "@qwik.dev/core/optimizer"
import { qwikRouter } from "@qwik.dev/router/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    // Strict loaders do not run again after an action, and fail in the response to a form sent without JavaScript.
    qwikRouter({ trailingSlash: false, strictLoaders: false }),
    qwikVite(),
  ],
})
