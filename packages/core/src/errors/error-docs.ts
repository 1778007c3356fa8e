/**
 * Returns how to read the page of the documentation about an error or a warning: a command that prints it, because the
 * documentation has no public address yet.
 *
 * @param type the type of the error, or the code of the warning
 */
export function getErrorDocs(type: string): string {
  return `npx @latchkey/cli explain ${type}`
}
