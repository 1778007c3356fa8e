/** The user who signs in. */
export const testUser = {
  id: "7f0c1c5e-4a52-4b0e-9a38-6a2f1f3f9d11",
  name: "Ada Byron",
  email: "ada@example.com",
  image: "https://images.example.com/ada.png",
} as const

/** Her password. It is not hashed, because hashing is slow on purpose, and the same for every library. */
export const password = "correct horse battery staple"

/** The secret of every library. */
export const secret = "a secret of the benchmark, longer than thirty-two characters"
