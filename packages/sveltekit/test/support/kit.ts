/** Replaces modules of SvelteKit that exist only in applications. */
export let building = false

/** Simulates the build of an application while a function runs. */
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
