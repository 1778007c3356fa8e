/** The same page without a session check. */
export async function readSession() {
  return { user: { email: "ada@example.com" } }
}
