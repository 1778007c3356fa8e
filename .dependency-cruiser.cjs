const layers = require("./scripts/layers.json")

const CORE = "^packages/core/src/"

/** One rule per layer: it imports only from itself and from lower layers. */
const layerRules = layers.flatMap((siblings, level) => {
  const lowerLayers = layers.slice(0, level).flat()
  return siblings.map(({ layer, files }) => ({
    name: `layer-${layer}`,
    comment: `${layer} imports only from lower layers (scripts/layers.json)`,
    severity: "error",
    from: { path: CORE + files },
    to: {
      path: CORE,
      pathNot: [...lowerLayers, { files }].map((allowed) => CORE + allowed.files),
    },
  }))
})

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: "no-cycles",
      comment:
        "no import cycles, type-only imports included; one module has a type with the names of its own exports",
      severity: "error",
      from: { pathNot: `${CORE}errors/error-classes\\.ts$` },
      to: { circular: true },
    },
    {
      name: "imports-resolve",
      comment: "every import resolves; SvelteKit provides `$app/…` and `$env/…` in an application",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^\\$(app|env)/" },
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
      from: { path: "^packages/client/src/", pathNot: "^packages/client/src/react/" },
      to: { pathNot: "^packages/client/src/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "hooks-import-only-react",
      comment: "the hooks of the client import React, and what the client imports",
      severity: "error",
      from: { path: "^packages/client/src/react/" },
      to: {
        pathNot: "^(packages/client/src/|node_modules/(@types/)?react/)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "core-imports-only-pages",
      comment: "of the workspace, the core imports only @latchkey/pages",
      severity: "error",
      from: { path: CORE },
      to: { path: "^(packages/(?!core/|pages/)|demo/|examples/)" },
    },
    {
      name: "pages-load-with-the-first-one",
      comment:
        "the core imports code of @latchkey/pages dynamically, except in modules that no request of a session check loads",
      severity: "error",
      from: {
        path: CORE,
        pathNot: `${CORE}(cli(/|\\.ts)|config/checks/warnings\\.ts|providers/sign-in-email\\.ts)`,
      },
      to: { path: "^packages/pages/", dependencyTypesNot: ["type-only", "dynamic-import"] },
    },
    {
      name: "pages-import-nothing",
      comment:
        "@latchkey/pages imports no package but the one for QR codes, so that everything can use it",
      severity: "error",
      from: { path: "^packages/pages/src/" },
      to: { pathNot: "^packages/pages/src/|^node_modules/uqr/" },
    },
    {
      name: "public-entries-only",
      comment: "packages reach each other by package name, never by a path into the other's files",
      severity: "error",
      from: { path: "^packages/([^/]+)/" },
      to: {
        path: "^packages/",
        pathNot: ["^packages/$1/", "^packages/core/test/support/"],
        dependencyTypes: ["local"],
      },
    },
    {
      name: "published-packages-import-only-core",
      comment:
        "a published package imports the core, the client and what adapters share, no other package of the workspace",
      severity: "error",
      from: { path: "^packages/(?!core/|testing/)([^/]+)/src/" },
      to: {
        path: "^packages/",
        pathNot: ["^packages/$1/", CORE, "^packages/(client|adapter-kit)/src/"],
      },
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
    exclude: { path: "^packages/[^/]+/(dist|templates)/" },
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
