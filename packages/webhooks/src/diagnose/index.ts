/**
 * Explains why the signature of a captured delivery is not valid.
 *
 * @module
 */
export { diagnose, type Diagnosis } from './diagnose.ts'
