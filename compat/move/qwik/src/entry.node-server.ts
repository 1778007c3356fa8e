import { createServer } from "node:http"
import { createQwikCity } from "@builder.io/qwik-city/middleware/node"
import qwikCityPlan from "@qwik-city-plan"
import render from "./entry.ssr.tsx"

const { AUTH_URL, HOST = "127.0.0.1", PORT = "3000" } = process.env

const { router, notFound, staticFile } = createQwikCity({
  render,
  qwikCityPlan,
  ...(AUTH_URL ? { origin: new URL(AUTH_URL).origin } : {}),
})

createServer((request, response) => {
  const find = () => void router(request, response, miss)
  const miss = () => void notFound(request, response, () => response.end())
  void staticFile(request, response, find)
}).listen(Number(PORT), HOST)
