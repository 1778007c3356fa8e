/** The same page without a session check. */
export const handle = ({ event, resolve }) => {
  event.locals.auth = async () => ({ user: { email: "ada@example.com" } })
  return resolve(event)
}
