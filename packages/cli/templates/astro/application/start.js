// Starts what `npm run build` has written. NODE_ENV is set here because shells differ in how they set it.
process.env.NODE_ENV = "production"
await import("./dist/server/entry.mjs")

// Astro loads the configuration, and so checks it, with the first request that needs it.
await fetch(`http://localhost:${process.env.PORT ?? 4321}/auth/providers`).catch(() => {})
