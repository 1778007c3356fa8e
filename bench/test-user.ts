/** The one person who signs in everywhere. */
export const testUser = {
  id: "7f0c1c5e-4a52-4b0e-9a38-6a2f1f3f9d11",
  name: "Ada Byron",
  email: "ada@example.com",
  image: "https://images.example.com/ada.png",
} as const

/** What she types. Nobody hashes it: hashing is meant to be slow, and the same for every library. */
export const password = "correct horse battery staple"

/** Secret of every library. */
export const secret = "a secret of the benchmark, longer than thirty-two characters"
