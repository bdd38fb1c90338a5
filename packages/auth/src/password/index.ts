/**
 * Passwords with argon2id: bounded work, rehashing, peppers, and the same time for unknown users.
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
