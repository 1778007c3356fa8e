import adapter from "@sveltejs/adapter-node"

/** @type {import("@sveltejs/kit").Config} */
export default {
  kit: { adapter: adapter(), csrf: { trustedOrigins: ["http://127.0.0.1:5173"] } },
}
