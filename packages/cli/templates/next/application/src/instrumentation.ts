/** Runs when the server starts, which ends then if nobody could sign in. */
export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return
  const { checkConfigAtStartup } = await import("./auth")
  checkConfigAtStartup()
}
