import { index, type RouteConfig, route } from "@react-router/dev/routes"

export default [
  index("routes/home.tsx"),
  route("auth/*", "routes/auth.ts"),
  route("members", "routes/members.tsx"),
  route("signout", "routes/signout.ts"),
] satisfies RouteConfig
