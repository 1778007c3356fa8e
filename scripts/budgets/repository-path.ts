/** Paths of this repository in stacks and profiles. */
const repository = new URL("../..", import.meta.url).href

/** Whether a text names a file of the repository that is not a dependency. */
export const isInRepository = (text: string): boolean =>
  text.includes(repository) && !text.includes("/node_modules/")

/** Removes the URL of the repository from a text. */
export const toRelativePath = (text: string): string => text.replace(repository, "")
