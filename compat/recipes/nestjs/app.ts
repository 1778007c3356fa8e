import "reflect-metadata"
import { MiddlewareAuth } from "@latchkey/express"
import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { AppModule } from "./app.module.js"
import { config } from "./auth.js"

export async function createApp(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule)
  app.use("/auth", MiddlewareAuth(config))
  return app
}
