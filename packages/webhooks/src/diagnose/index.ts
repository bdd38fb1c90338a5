/**
 * Explains why the signature of a captured delivery is not valid.
 *
 * @module
 */
export { diagnose, type Diagnosis, type Mistake, type MistakeCode } from './diagnose.ts'
