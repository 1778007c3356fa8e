/** The same page without a session check. */
export const load = () => ({ email: "ada@example.com" })
