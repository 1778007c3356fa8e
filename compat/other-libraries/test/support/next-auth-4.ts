/** NextAuth.js 4 behind `Request` and `Response`: it was written for the API routes of Next.js. */
import { createRequire } from "node:module"
import type { FetchHandler } from "@latchkey/testing"
import type { NextApiRequest, NextApiResponse } from "next"
import type { NextAuthOptions } from "next-auth"

const require = createRequire(import.meta.url)
const { default: createHandler }: typeof import("next-auth") = require("next-auth")
export const { encode }: typeof import("next-auth/jwt") = require("next-auth/jwt")

export const basePath = "/api/auth"

/** Returns the handler of NextAuth.js, which trusts the origin of its requests. */
export function createNextAuth4(options: NextAuthOptions): FetchHandler {
  return async (request) => {
    process.env["NEXTAUTH_URL"] = new URL(basePath, request.url).href
    const { promise, resolve } = Promise.withResolvers<Response>()
    // These have what it uses of the request and response of Next.js.
    const req = (await toApiRequest(request)) as unknown as NextApiRequest
    const res = createApiResponse(resolve) as unknown as NextApiResponse
    await createHandler(req, res, options)
    return promise
  }
}

async function toApiRequest(request: Request) {
  const url = new URL(request.url)
  const pairs = (request.headers.get("cookie") ?? "").split("; ").filter(Boolean)
  const cookies = pairs.map((pair) => {
    const [name = "", value = ""] = pair.split(/=(.*)/s)
    return [name, decodeURIComponent(value)]
  })
  const nextauth = url.pathname.slice(basePath.length + 1).split("/")
  return {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: Object.fromEntries(cookies),
    query: { ...Object.fromEntries(url.searchParams), nextauth },
    body: Object.fromEntries(new URLSearchParams(await request.text())),
  }
}

function createApiResponse(resolve: (response: Response) => void) {
  const headers = new Headers()
  let status = 200
  const end = (body?: unknown) => {
    const text = typeof body === "object" ? JSON.stringify(body) : String(body ?? "")
    resolve(new Response(text, { status, headers }))
  }
  const response = {
    status(code: number) {
      status = code
      return response
    },
    getHeader: (name: string) => headers.getSetCookie().filter(() => name === "Set-Cookie"),
    setHeader(name: string, value: string | string[]) {
      headers.delete(name)
      for (const each of [value].flat()) headers.append(name, each)
      return response
    },
    redirect(code: number, location: string) {
      headers.set("location", location)
      response.status(code).end()
    },
    send: end,
    json: end,
    end,
  }
  return response
}
