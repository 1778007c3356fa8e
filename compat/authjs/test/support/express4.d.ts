// What Express 4 has of its own is not used in tests: the types of version 5 serve both.
declare module "express4" {
  import express from "express"
  export default express
}
