/** What SvelteKit's own modules would tell: they exist in an application only. */
export let building = false

/** Stands for the build of an application while something runs. */
export async function whileBuilding<T>(work: () => Promise<T>): Promise<T> {
  building = true
  try {
    return await work()
  } finally {
    building = false
  }
}

export const homePath = "/base/"
export const defaultBasePath = "/base/auth"
