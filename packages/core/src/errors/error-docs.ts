/**
 * Returns the page of the documentation about an error or a warning, as a path in the repository: the documentation has
 * no public address yet.
 *
 * @param type the type of the error, or the code of the warning
 */
export function getErrorDocs(type: string): string {
  return `docs/errors/${type}.md`
}
