/** Whether this is Node indeed: bundlers give the modules for Node to other runtimes, too. */

/** Node 20 names itself nowhere, and later versions here. */
export const isNode: boolean =
  typeof navigator === "undefined" || navigator.userAgent.startsWith("Node.js/")
