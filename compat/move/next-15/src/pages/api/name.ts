import type { NextApiRequest, NextApiResponse } from "next"
import { getToken } from "next-auth/jwt"
import { getServerSession } from "next-auth/next"
import { authOptions } from "../../auth"

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const session = await getServerSession(req, res, authOptions)
  const token = await getToken({ req })
  res.json({ name: session?.user?.name ?? null, role: token?.role ?? null })
}
