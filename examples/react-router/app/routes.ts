import { index, type RouteConfig, route } from "@react-router/dev/routes"

export default [
  index("routes/home.tsx"),
  route("auth/*", "routes/auth.ts"),
  route("signin", "routes/signin.tsx"),
  route("signout", "routes/signout.ts"),
  route("members", "routes/members.tsx"),
  route("account", "routes/account.tsx"),
  route("account/sessions", "routes/sessions.tsx"),
  route("account/security", "routes/security.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig
