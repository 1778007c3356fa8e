// Starts the application for production. NODE_ENV is set here because shells differ in how they set it.
process.env.NODE_ENV = "production"
await import("./server.ts")
