/** A server in production that could sign nobody in ends here. */
export default defineNitroPlugin(() => {
  if (!import.meta.prerender) auth.checkConfigAtStartup()
})
