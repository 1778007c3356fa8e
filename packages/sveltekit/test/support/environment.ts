/** Replaces the environment of SvelteKit, whose modules exist only in applications. */
export const loadEnvironment = async (): Promise<NodeJS.ProcessEnv> => process.env
export const readEnvironment = async (): Promise<NodeJS.ProcessEnv> => process.env
