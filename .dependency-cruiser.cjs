const floors = require("./scripts/floors.json")

const CORE = "^packages/core/src/"

/** One rule per room: whatever it imports from the core lies on a floor below, or in the room itself. */
const floorRules = floors.flatMap((rooms, floor) => {
  const below = floors.slice(0, floor).flat()
  return rooms.map(({ room, files }) => ({
    name: `floor-of-${room}`,
    comment: `${room} imports only from the floors below it (scripts/floors.json)`,
    severity: "error",
    from: { path: CORE + files },
    to: { path: CORE, pathNot: [...below, { files }].map((allowed) => CORE + allowed.files) },
  }))
})

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: "no-cycles",
      comment: "no import cycles, type-only imports included",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "resolvable",
      comment:
        "every import leads somewhere; SvelteKit makes `$app/…` when an application is built",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^\\$app/" },
    },
    {
      name: "core-is-platform-free",
      comment: "the core reaches a runtime's own modules only in runtime/*.node.ts",
      severity: "error",
      from: { path: CORE, pathNot: `${CORE}runtime/.+\\.node\\.ts$` },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "core-dependencies",
      comment: "the core imports jose and oauth4webapi; optional peers only where they are needed",
      severity: "error",
      from: { path: CORE },
      to: {
        path: "(^|/)node_modules/",
        pathNot: [
          "(^|/)node_modules/(jose|oauth4webapi)/",
          "(^|/)node_modules/(nodemailer|@simplewebauthn/server)/",
        ],
      },
    },
    {
      name: "nodemailer-in-its-provider",
      comment: "the optional peer nodemailer is imported by its provider only",
      severity: "error",
      from: { path: CORE, pathNot: `${CORE}providers/nodemailer\\.ts$` },
      to: { path: "(^|/)node_modules/nodemailer/" },
    },
    {
      name: "passkeys-in-their-provider",
      comment: "the optional peer @simplewebauthn/server is imported by its provider only",
      severity: "error",
      from: { path: CORE, pathNot: `${CORE}providers/webauthn\\.ts$` },
      to: { path: "(^|/)node_modules/@simplewebauthn/" },
    },
    {
      name: "client-takes-only-types",
      comment:
        "browsers get nothing of the server: the client imports types from the core, no code",
      severity: "error",
      from: { path: `${CORE}client(/|\\.ts)` },
      to: { path: CORE, pathNot: `${CORE}client/`, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "server-without-client",
      comment: "nothing on the server imports the browser's client",
      severity: "error",
      from: { path: CORE, pathNot: `${CORE}client(/|\\.ts)` },
      to: { path: `${CORE}client(/|\\.ts)` },
    },
    {
      name: "core-stands-alone",
      comment: "the core knows no other package of the workspace",
      severity: "error",
      from: { path: CORE },
      to: { path: "^(packages/(?!core/)|demo/|examples/)" },
    },
    {
      name: "public-doors-only",
      comment: "packages reach each other by package name, never by a path into the other's files",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: { path: "^packages/", pathNot: "^packages/$1/", dependencyTypes: ["local"] },
    },
    {
      name: "published-packages-meet-in-the-core",
      comment: "a published package imports the core, no other package of the workspace",
      severity: "error",
      from: { path: "^packages/(?!core/|testing/)([^/]+)/src/" },
      to: { path: "^packages/", pathNot: ["^packages/$1/", CORE] },
    },
    {
      name: "declared-dependencies",
      comment: "what a package imports stands in its own package.json, not in the root's",
      severity: "error",
      from: { path: "^packages/[^/]+/src/" },
      to: {
        dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"],
        dependencyTypesNot: ["npm-peer"],
        pathNot: "(^|/)node_modules/@types/",
      },
    },
    {
      name: "no-test-code-in-sources",
      comment: "sources import neither tests nor @latchkey/testing",
      severity: "error",
      from: { path: "^packages/([^/]+)/src/" },
      to: {
        path: ["^packages/[^/]+/test/", "^packages/testing/", "^demo/"],
        pathNot: "^packages/$1/src/",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^packages/[^/]+/dist/" },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["@latchkey/source", "node", "import", "default"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json", ".d.ts"],
    },
  },
}
