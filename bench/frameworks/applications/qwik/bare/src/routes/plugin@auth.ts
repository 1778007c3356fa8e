import { routeLoader$ } from "@builder.io/qwik-city"

/** The same page without a session check. */
export const useSession = routeLoader$(() => ({ user: { email: "ada@example.com" } }))
