// Starts what `npm run build` has written. NODE_ENV is set here because shells differ in how they set it.
process.env.NODE_ENV = "production"
await import("./.output/server/index.mjs")
