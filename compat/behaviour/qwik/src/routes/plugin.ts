/** Sets a cookie of the application on every response: this plugin runs before the others. */
import type { RequestHandler } from "@builder.io/qwik-city"

export const onRequest: RequestHandler = ({ cookie }) => {
  cookie.set("foreign", "kept", { path: "/" })
}
