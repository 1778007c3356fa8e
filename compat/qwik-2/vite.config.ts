import { qwikVite } from "@qwik.dev/core/optimizer"
import { qwikRouter } from "@qwik.dev/router/vite"
import { defineConfig } from "vite"

export default defineConfig({
  plugins: [
    // Strict loaders are not run again after an action, and fail in the answer to a form that no script sent.
    qwikRouter({ trailingSlash: false, strictLoaders: false }),
    qwikVite(),
  ],
})
