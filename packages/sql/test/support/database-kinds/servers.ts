/** Whether `npm test -- --project databases` runs, which tests the databases that `npm test` leaves out. */
export const testsOtherDatabases: boolean = process.env["LATCHKEY_DATABASES"] === "others"

/**
 * Returns kinds that need a server, or none if it does not respond or is not tested in this run.
 * With `CI=true` a missing server is a failure.
 *
 * @param variable environment variable with its address
 */
export async function kindsIfReachable<Kind>(
  { name, variable, url }: { name: string; variable: string; url: string },
  connect: () => Promise<unknown>,
  kinds: readonly Kind[],
): Promise<readonly Kind[]> {
  if (!testsOtherDatabases) return []
  try {
    await connect()
    return kinds
  } catch (error) {
    const reason = `No ${name} at ${new URL(url).host} (${variable}): ${error}`
    if (process.env["CI"] === "true") throw new Error(reason, { cause: error })
    console.warn(`${reason}. Its tests are skipped.`)
    return []
  }
}

/** Returns the same URL with a local port. */
export function withLocalPort(address: string, port: number): string {
  const url = new URL(address)
  url.hostname = "127.0.0.1"
  url.port = String(port)
  return url.href
}
