/**
 * Passwords with argon2id: bounded concurrency, rehashing, peppers, and constant time for unknown users.
 *
 * @module
 */
export { createPasswordHasher, type PasswordHasher, type PasswordVerdict } from './password-hasher.ts'
