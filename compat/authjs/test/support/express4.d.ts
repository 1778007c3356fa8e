// The tests use no API that only Express 4 has, so the types of version 5 apply to both.
declare module "express4" {
  import express from "express"
  export default express
}
