import { auth } from "../../auth"

export const GET = auth((request) =>
  request.auth ? Response.json(request.auth) : Response.json({}, { status: 401 }),
)
