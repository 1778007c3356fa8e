/** Next.js replaces this module in components, but not if the import has the extension that Node.js would need. */
declare module "next/navigation" {
  /** Throws what Next.js turns into a redirect. */
  export function redirect(url: string): never
}

declare namespace NodeJS {
  interface ProcessEnv {
    /** The `basePath` of the application. Next.js replaces the expression when it builds. */
    readonly __NEXT_ROUTER_BASEPATH?: string
  }
}
