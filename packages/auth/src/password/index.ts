/**
 * Passwords with argon2id: bounded concurrency, rehashing, peppers, and constant time for unknown users.
 *
 * @module
 */
export type { Argon2Parameters } from './stored-hash.ts'
export {
  createPasswordHasher,
  type PasswordHasher,
  type PasswordHasherOptions,
  type PasswordVerdict,
} from './password-hasher.ts'
